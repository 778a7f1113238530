"""Soaks are split into blocks of seeds: all seeds, each once, in separate test cases."""

import subprocess
import sys

import pytest

from seed_blocks import seed_blocks


@pytest.mark.parametrize(("count", "block", "first"), [(1000, 10, 30), (7, 3, 0), (1, 100, 5), (600, 200, 0)])
def test_blocks_contain_each_seed_once(count, block, first):
    blocks = seed_blocks(count, block, first)
    assert [seed for each in blocks for seed in each] == list(range(first, first + count))
    assert all(1 <= len(each) <= block for each in blocks)


def test_blocks_refuse_nothing():
    with pytest.raises(ValueError, match="at least 1, not 0"):
        seed_blocks(0, 10)


SOAKS = {  # file: test cases
    "tests/unit/gait/falls/test_random_scripts.py": 100,  # 1,000 scripts
    "tests/unit/constraints/test_loops_poses.py": 51,  # 10,200 closures of 17 kinds of loops
    "tests/unit/constraints/test_assembly_scales.py": 100,  # 10,000 assemblies, open and closed ones
}


@pytest.mark.slow
def test_the_soaks_are_collected_as_blocks(root):
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-m", "soak", *SOAKS]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()
    assert {name: sum(line.startswith(name) for line in listed) for name in SOAKS} == SOAKS
