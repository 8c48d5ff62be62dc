"""The README's commands, run as they stand on a server of their own."""

import html
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
BLOCKS = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
CURL_GAME = next(block for block in BLOCKS if "API=" in block)
FOLLOWED = next(block for block in BLOCKS if "text/event-stream" in block)
DAILY = next(block for block in BLOCKS if "daily/" in block)


def ready(port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            return answer.status == 200
    except (urllib.error.URLError, ConnectionError):
        return False


@pytest.fixture
def server(tmp_path):
    """A port on which `manage.py serve` serves from an empty data folder, and what it has printed."""
    tmp_path.chmod(0o755)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    environment |= {"DATA_DIR": str(tmp_path / "var"), "DJANGO_SETTINGS_MODULE": "cardsite.settings"}
    printed = tmp_path / "serve.log"
    with printed.open("wb") as log:
        command = [sys.executable, "manage.py", "serve", "--port", str(port), "--workers", "1"]
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 90
        while not ready(port):
            assert process.poll() is None, printed.read_text()
            assert time.monotonic() < deadline, printed.read_text()
            time.sleep(0.2)
        yield port, printed
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_the_game_by_curl_is_won(server):
    port, printed = server
    script = CURL_GAME.replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    assert script != CURL_GAME
    done = subprocess.run(
        ["bash", "-eu", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    columns, legal, outcome, foundations = done.stdout.splitlines()
    assert columns.startswith("[['JD', 'KD', '2S', '4C', '3S', '6D', '6S'], ")
    assert legal.startswith('{"ruleset":"freecell","ply":0,"seat":0,"total":32,"items":[{"type":"move",')
    assert outcome == "{'place': [1], 'result': ['win'], 'score': [52]}"
    assert foundations == "{'C': '4C', 'D': 'AD', 'H': '8H', 'S': '3S'}"
    assert len(re.findall(r"First staff account, shown once: admin / \S{16}\n", printed.read_text())) == 1


def front_page_script(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
        page = answer.read().decode()
    return html.unescape(re.search(r"<pre[^>]*><code>(.*?)</code>", page, re.DOTALL)[1])


def filled_in(script, name, password):
    named = script.replace("NAME='…'", f"NAME='{name}'")
    assert named != script
    given = named.replace("PASSWORD='…'", f"PASSWORD='{password}'")
    assert given != named
    return given


def test_the_game_of_the_front_page_begins(server):
    port, _ = server
    script = front_page_script(port)
    given = filled_in(script, "anna", "brown-otter-47")
    done = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", given],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    *answers, address = done.stdout.splitlines()
    started, first, moved, second = map(json.loads, answers)
    assert (started["status"], started["to_act"]) == ("running", [0])
    assert first["items"] == [{"type": "deal"}]
    assert (moved["ply"], moved["entries"][0]["move"]) == (1, {"type": "deal"})
    assert second["ply"] == 1
    assert second["total"] >= 1
    with urllib.request.urlopen(address) as answer:
        assert f"/api/v1/games/{started['id']}/replay" in answer.read().decode()
    for refused, code in ((given, "username_taken"), (script, "malformed")):
        done = subprocess.run(
            ["bash", "-c", refused], capture_output=True, text=True, check=False, timeout=60
        )
        problem = json.loads(done.stdout)  # and nothing else
        assert problem["code"] == code, problem


def test_the_deal_of_the_day_is_there_and_is_begun(server):
    port, _ = server
    script = (CURL_GAME + DAILY).replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    done = subprocess.run(
        ["bash", "-eu", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    sealed_until, deal = done.stdout.splitlines()[-2:]
    seen = json.loads(deal)
    assert (seen["state"], seen["closes_at"], seen["deck"]) == ("open", sealed_until, None)
    assert seen["your_try"] is None  # who asks without a token has none


def test_the_game_that_is_followed_by_curl_is_proven(server, tmp_path):
    port, _ = server
    script = (CURL_GAME + FOLLOWED).replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    script = script.replace(".venv/bin/python", sys.executable)
    proof = f"{tmp_path}/proof.json"
    assert script.count("/tmp/proof.json") == 2
    script = script.replace("/tmp/proof.json", proof)
    done = subprocess.run(
        ["bash", "-eu", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    told = re.findall("^event: (.*)$", done.stdout, re.MULTILINE)
    assert told == ["game", "entry", "entry", "ended"]
    assert done.stdout.splitlines()[-1] == f"{proof}: verified: camelot, 2 entries, resigned"
