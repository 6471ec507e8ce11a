"""Checks that what a page of docs/design shows is what Poly prints.

A block of C in the page is a source. A block of text or LLVM IR behind it is what the pass prints that the
last inline code before the block names, `print<poly-ast;no-tile>` for example: text must be all of what is
printed (names of blocks in the names of SCoPs aside, which depend on the version of LLVM), of IR the beginning of each
line must be there, in this order.

    page.py PAGE --clang CLANG --opt OPT... --work PREFIX
"""

import argparse
import re
import subprocess
import sys

# The form that loops have where Poly runs.
PREPARED = (
    "sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(loop-rotate),"
    "instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop(indvars)"
)
FENCE = re.compile(r"^```(\w*)$")
# Block names are of clang's making.
SCOP = re.compile(r'^scop "(\w+): .*"$', re.MULTILINE)
PASS = re.compile(r"`(print<poly-[^`]*>|poly<[^`]*>)`")


def blocks(text):
    """Each fenced block with its language, and the pass that is named last before it."""
    language, lines, named = None, [], None
    for line in text.splitlines():
        fence = FENCE.match(line)
        if language is None and fence:
            language, lines = fence.group(1), []
        elif language is not None and fence:
            yield language, "\n".join(lines), named
            language = None
        elif language is not None:
            lines.append(line)
        else:
            for found in PASS.finditer(line):
                named = found.group(1)


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("%s\n%s" % (" ".join(command), done.stderr))
    return done


def printed(arguments, source, pipeline, is_ir):
    """What a pass prints for a source, or the IR that it makes."""
    path, ir = arguments.work + ".c", arguments.work + ".ll"
    with open(path, "w", encoding="utf-8") as file:
        file.write(source)
    flags = ["-O3", "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names"]
    flags += ["-march=x86-64-v3", "--target=x86_64-linux-gnu", "-S", "-emit-llvm", path, "-o", ir]
    run([arguments.clang] + flags)
    passes = "-passes=function(%s,%s)" % (PREPARED, pipeline)
    done = run(arguments.opt + [passes, ir] + (["-S"] if is_ir else ["-disable-output"]))
    return done.stdout if is_ir else done.stderr


def difference(language, expected, output):
    """What is wrong, if something is."""
    if language == "text":
        same = SCOP.sub(r'scop "\1"', output.strip()) == SCOP.sub(r'scop "\1"', expected.strip())
        return None if same else "the page differs from:\n" + output
    rest = iter(line.strip() for line in output.splitlines())
    for line in filter(None, (line.strip() for line in expected.splitlines())):
        if not any(found.startswith(line) for found in rest):
            return "no line (behind those before it)\n  %s\nin:\n%s" % (line, output)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--clang", required=True)
    parser.add_argument("--opt", required=True, nargs="+")
    parser.add_argument("--work", required=True)
    arguments, options = parser.parse_known_args()
    arguments.opt += options
    with open(arguments.page, encoding="utf-8") as file:
        text = file.read()
    source, checked = None, 0
    for language, content, pipeline in blocks(text):
        if language == "c":
            source = content
        elif language in ("text", "llvm") and source is not None and pipeline is not None:
            wrong = difference(language, content, printed(arguments, source, pipeline, language == "llvm"))
            if wrong:
                sys.exit("%s, `%s`: %s" % (arguments.page, pipeline, wrong))
            checked += 1
    if checked == 0:
        sys.exit("%s shows nothing that could be checked" % arguments.page)


main()
