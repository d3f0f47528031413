#!/usr/bin/env python3
"""Judge findings on Go code by labels, for calibrate: judge_go.py TOOLS SHAPEVET CHECKOUTS LABELS REPOS >>judged.jsonl

TOOLS is a directory with the scorers score-go and scorelib.py, whose way of running repositories and of matching
findings and labels is used.  Every finding is asked for, guesses too; one that matches a label is right if the label
wants a report.
"""
import argparse
import importlib.machinery
import importlib.util
import json
import os
import sys
import tempfile

tools, shapevet, checkouts, labels_file, repos_file = sys.argv[1:]
sys.path.insert(0, tools)
import scorelib  # noqa: E402

loader = importlib.machinery.SourceFileLoader("score_go", os.path.join(tools, "score-go"))
spec = importlib.util.spec_from_loader("score_go", loader)
go = importlib.util.module_from_spec(spec)
loader.exec_module(go)
scorelib.CHECK_FLAGS = ["--output", "json", "--exit-zero", "--min-confidence", "0", "--no-progress", "--max-findings", "0"]

with open(repos_file, encoding="utf8") as f:
    repos = json.load(f)["repos"]
labels = scorelib.load_labels(labels_file)
args = argparse.Namespace(checkouts=checkouts, shapevet=os.path.abspath(shapevet), timeout=None)
for repo in sorted({x["repo"] for x in labels}):
    own = [x for x in labels if x["repo"] == repo]
    with tempfile.TemporaryDirectory() as scratch:
        run = go.lint(args, repo, repos[repo], scratch)
    if run is None or run["failures"]:
        print(f"{repo}: {run['failures'] if run else 'not checked out'}", file=sys.stderr)
        continue
    for finding in run["findings"]:
        hits = scorelib.best_hits(finding, own, go.quality)
        if hits and 0 < finding["confidence"] < 1:
            print(json.dumps({"set": repo, "rule": finding["rule"], "confidence": finding["confidence"],
                              "right": any(h["expect"] == "report" for h in hits)}))
