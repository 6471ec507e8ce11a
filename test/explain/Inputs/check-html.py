"""Checks a page of `poly report`: elements are closed, ids are there once, links and labels lead to them, nothing comes from outside, and what
people operate has a name.

    check-html.py PAGE
"""

import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "input", "br", "link", "img"}
# What shows another file or runs one.
OUTSIDE = {"src", "srcset", "data", "action", "poster", "xlink:href"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.uses, self.wrong, self.texts, self.headings = [], [], [], [], {}, []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in values:
            self.ids.append(values["id"])
        self.wrong += ["%s from outside: %s" % (tag, name) for name in values if name in OUTSIDE]
        if tag in ("link", "iframe", "object", "embed", "img"):
            self.wrong.append("an element <%s>" % tag)
        href = values.get("href")
        if href is not None:
            self.uses.append(href[1:])
            if not href.startswith("#"):
                self.wrong.append("a link to " + href)
        self.uses += values.get("aria-labelledby", "").split()
        if tag == "input" and "label" not in self.open:
            self.wrong.append("a control without a label")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if values.get("role") in ("img", "region") and not {"aria-label", "aria-labelledby"} & set(values):
            self.wrong.append("a role without a name")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append("an end </%s> at line %d" % (tag, self.getpos()[0]))

    def handle_data(self, text):
        if self.open and self.open[-1] in ("style", "script"):
            self.wrong += re.findall(r"https?:|@import|@font-face|url\(|fetch\(|XMLHttpRequest|import\(", text)


page = Page()
with open(sys.argv[1], encoding="utf-8") as file:
    page.feed(file.read())
page.wrong += ["<%s> is not closed" % tag for tag in page.open]
page.wrong += ["id %s twice" % name for name in set(page.ids) if page.ids.count(name) > 1]
page.wrong += ["no id " + name for name in page.uses if name not in page.ids]
page.wrong += ["h%d after h%d" % (b, a) for a, b in zip([0] + page.headings, page.headings) if b > a + 1]
if page.wrong:
    sys.exit("\n".join(sorted(set(page.wrong))))
