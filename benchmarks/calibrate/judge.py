#!/usr/bin/env python3
"""Judge findings by labels, for calibrate: judge.py TOOLS SHAPEVET CORPUS LABELS >>judged.jsonl

TOOLS is a directory with the scorers score-docs and scorelib.py, whose way of matching findings and labels is used.
Every finding is asked for, guesses too; one that matches a label is right if the label wants a report. Labels that want one and
get none are missed. With a fifth argument, "clear", only labels that are clear count.
"""
import importlib.machinery
import importlib.util
import json
import os
import sys

tools, shapevet, corpus, labels_file, *only = sys.argv[1:]
sys.path.insert(0, tools)
import scorelib  # noqa: E402

loader = importlib.machinery.SourceFileLoader("score_docs", os.path.join(tools, "score-docs"))
spec = importlib.util.spec_from_loader("score_docs", loader)
docs = importlib.util.module_from_spec(spec)
loader.exec_module(docs)
scorelib.CHECK_FLAGS = ["--output", "json", "--exit-zero", "--strict", "--min-confidence", "0", "--no-progress", "--max-findings", "0"]

labels = [x for x in scorelib.load_labels(labels_file) if not only or x["confidence"] in only]
groups = {}
for label in labels:
    label["places"] = list(docs.places(label))
    groups.setdefault(tuple(label["files"]), []).append(label)
seen = set()
for files, own in sorted(groups.items()):
    run = scorelib.check(shapevet, [x for f in files for x in ("--docs", f)], corpus, 600, tolerate_exit_2=True)
    if not run.parsed:
        print(f"{files}: {run.failure}", file=sys.stderr)
        continue
    for raw in run.findings:
        finding = docs.simplify(raw)
        hits = scorelib.best_hits(finding, own, docs.quality)
        key = (finding["rule"], files, finding["file"], finding["segments"])
        if not hits or key in seen or not 0 < raw["confidence"] < 1:
            continue
        seen.add(key)
        for h in hits:
            h["met"] = True
        print(json.dumps({"set": own[0]["dataset"], "rule": finding["rule"], "confidence": raw["confidence"],
                          "right": any(h["expect"] == "report" for h in hits)}))
for label in labels:
    if label["expect"] == "report" and not label.get("met"):
        print(json.dumps({"set": label["dataset"], "rule": label["rule"], "missed": True}))
