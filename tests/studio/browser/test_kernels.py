"""Twenty kernels in Chromium give the bits of replay, in one page and one call."""

import pytest

from kernels.test_wasm_node import RUN, check, jobs_and_results
from studio.browser.conftest import content, new_page


@pytest.mark.slow
def test_twenty_kernels_in_chromium_have_the_bits_of_replay(chromium):
    jobs, wanted = jobs_and_results()
    page = new_page(chromium)
    found = page.evaluate(f"(jobs) => {{ {RUN} return found; }}", jobs)
    page.context.close()
    content(page)
    check(jobs, wanted, found)
