#!/bin/sh
# Refuses tools that name a .env file. The input is one JSON object on stdin.
if grep -q '"file_path":"[^"]*\.env[^"]*"'; then
  echo "secrets stay where they are" >&2
  exit 2
fi
