"""One table of contact models: scripts, the studio and its messages offer the same names."""

from typing import get_args

from anthropi.contact.models import CONTACT_MODELS, ContactName
from anthropi.contact.scene import Scene
from anthropi.figure.samples import sample
from anthropi.formats.scripts.scenes import CONTACTS
from anthropi.studio.messages import World
from anthropi.studio.project import scene


def test_all_lists_of_contact_models_are_the_table():
    assert get_args(ContactName) == tuple(CONTACT_MODELS) == tuple(choice.name for choice in scene.CONTACTS)
    assert {*CONTACT_MODELS, "none"} == set(CONTACTS)
    assert World().contact in CONTACT_MODELS


def test_every_model_is_made_and_has_the_parameters_of_its_keys():
    for model in CONTACT_MODELS.values():
        made = model.make()
        assert all(hasattr(made, name) for name in model.keys.values()) and model.words.endswith(".")
        assert Scene(sample("biped"), contact=made).contact is made
