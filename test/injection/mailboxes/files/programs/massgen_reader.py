"""MassGen's reader of hook_post_tool_use.json, written anew from its documentation: one line per tool call, one answer each."""
import fnmatch
import json
import os
import sys
import time

path = sys.argv[1]
last_sequence = 0
MARK = "[Human Input]:"


def consume(tool_name):
    """What is appended to the result of a tool call; None leaves the result alone."""
    global last_sequence
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError:
        return None
    try:
        payload = json.loads(text)
        content = payload["inject"]["content"]
    except (ValueError, KeyError, TypeError):
        os.unlink(path)
        return None
    # The matcher is looked at first: a payload for another tool stays, even when its time is over.
    if not fnmatch.fnmatchcase(tool_name, payload.get("tool_matcher", "*")):
        return None
    expires = payload.get("expires_at")
    sequence = payload.get("sequence", 0)
    os.unlink(path)
    if isinstance(expires, (int, float)) and expires < time.time():
        return None
    if sequence <= last_sequence or not content:
        return None
    last_sequence = sequence
    at = content.find(MARK)
    return {"appended": content, "runtimeInput": content[at:] if at >= 0 else None}


for line in sys.stdin:
    print(json.dumps(consume(line.rstrip("\n"))), flush=True)
