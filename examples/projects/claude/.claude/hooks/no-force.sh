#!/bin/sh
# Refuses forced pushes; other pushes are fine.
if grep -q -- '--force'; then
  echo "pushing by force is for people" >&2
  exit 2
fi
