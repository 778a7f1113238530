"""Tasks belong to the project in which they were started: their results never reach another one."""

import threading

import pytest

from anthropi.studio.messages import Finished, MotionMade, Problem


@pytest.mark.parametrize(
    ("replace", "fields"),
    [
        ("new_project", {}),
        ("open_sample", {"name": "double_pendulum"}),
        ("open_example", {"name": "human among boxes"}),
    ],
)
def test_the_result_of_a_task_does_not_reach_a_project_that_replaced_its_own(tried, replace, fields):
    tried.do("open_sample", name="double_pendulum")
    motion = tried.run("direct_dynamics", duration=0.05).motion
    let_go, at_work = threading.Event(), threading.Event()

    def compute(task):
        at_work.set()
        assert let_go.wait(60.0)
        tried.session.add_motion(motion, "late", "direct", task=task.number)

    task = tried.session.tasks.start("late", compute)
    assert at_work.wait(60.0)
    tried.do(replace, **fields)
    assert tried.session.project_view().tasks == ()
    before = len(tried.of(MotionMade))
    let_go.set()
    tried.session.tasks.wait(60.0)
    assert not tried.session.project.motions and len(tried.of(MotionMade)) == before
    assert [e.ok for e in tried.of(Finished) if e.task == task] == [False]
    assert not [e for e in tried.of(Problem) if e.task == task]


def test_a_task_of_the_project_goes_on_when_the_project_is_edited(tried):
    """Also after undo; undoing the opening itself replaces the project."""
    tried.do("open_sample", name="double_pendulum")
    let_go, stopped = threading.Event(), []

    def compute(task):
        assert let_go.wait(60.0)
        stopped.append(task.stopped.is_set())

    tried.session.tasks.start("edit", compute)
    tried.do("set_gravity", gravity=[0, 0, -1.0])
    tried.do("undo")
    let_go.set()
    tried.session.tasks.wait(60.0)
    let_go.clear()
    tried.session.tasks.start("undo", compute)
    tried.do("undo")
    let_go.set()
    tried.session.tasks.wait(60.0)
    assert stopped in ([False, True], [False])  # a task that has not begun to compute when it is stopped never does


def test_a_motion_that_has_left_the_project_is_no_error_of_a_request(served):
    """The browser may ask for a motion while another browser, or the user, replaces the project."""
    from studio.test_guard import ask

    session = served.session
    from anthropi.studio.messages import NewProject, OpenExample

    session.do(OpenExample("double pendulum"))
    session.tasks.wait(60.0)
    (item,) = session.project.motions
    session.do(NewProject())
    assert ask(served, f"/motion/{item.number}", X_Token=served.studio.token)[0] == 204
    assert ask(served, f"/motion/{session.project.next}", X_Token=served.studio.token)[0] == 404
