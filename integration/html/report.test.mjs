// The HTML report in a real browser: it renders without errors, asks the
// network for nothing, is used with the pointer and with the keyboard, and has
// no serious accessibility violation in light and in dark.
//
// SHAPEVET names the binary; CHROMIUM the browser, if it is not
// /usr/bin/chromium; SCREENSHOTS a directory for pictures, if they are wanted.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { markup, writeDatabase } from "./database.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const work = mkdtempSync(join(tmpdir(), "shapevet-html-"));
const file = join(work, "report.html");
const address = pathToFileURL(file).href;
let browser;

before(async () => {
  writeDatabase(join(work, "db"));
  const run = spawnSync(process.env.SHAPEVET ?? "shapevet", ["check", "--docs", "db", "--output", "html=report.html", "--exit-zero"], { cwd: work, encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
});
after(async () => {
  await browser?.close();
  rmSync(work, { recursive: true, force: true });
});

// open loads the report and watches it: anything said on the console and any
// request but that for the page itself fails the test in which it happens.
async function open(t, { fragment = "", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== address) complaints.push("request: " + request.url());
  });
  page.complaints = complaints;
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  await page.goto(address + fragment);
  return page;
}

const shown = (page) => page.locator("article.finding:visible");
const focused = (page) => page.evaluate(() => document.activeElement.getAttribute("href") ?? "#" + document.activeElement.id);

async function picture(page, name) {
  if (!process.env.SCREENSHOTS) return;
  mkdirSync(process.env.SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(process.env.SCREENSHOTS, name + ".png"), fullPage: true });
}

describe("rendering", () => {
  test("the diagram shows every collection, and crosses out what only joins", async (t) => {
    const page = await open(t);
    assert.deepEqual((await page.locator(".box h3").allTextContents()).sort(), ["author-books", "authors", "books", "events", "measurements" + "OfTheStationAtTheNorthernEndOfTheHarbour".repeat(2), "persons", "posts"]);
    assert.deepEqual(await page.locator(".box.join h3").allTextContents(), ["author-books"]);
    assert.ok((await page.locator(".arrow").count()) >= 3);
    await picture(page, "light");
  });

  test("boxes stand apart, inside the drawing, and hold their rows", async (t) => {
    const page = await open(t);
    const problems = await page.evaluate(() => {
      const out = [], boxes = [...document.querySelectorAll(".box")], drawing = document.querySelector("#drawing").getBoundingClientRect();
      const rects = boxes.map((b) => b.getBoundingClientRect());
      rects.forEach((a, i) => {
        if (a.left < drawing.left || a.right > drawing.right || a.bottom > drawing.bottom) out.push("outside: " + i);
        if (boxes[i].scrollHeight > boxes[i].clientHeight + 1) out.push("too small: " + i);
        rects.slice(0, i).forEach((b, j) => {
          if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) out.push(`overlap: ${i} and ${j}`);
        });
      });
      return out;
    });
    assert.deepEqual(problems, []);
  });

  test("findings stand by severity", async (t) => {
    const page = await open(t);
    const severities = await page.locator(".list li").evaluateAll((items) => items.map((li) => ["error", "warning", "info"].indexOf(li.dataset.severity)));
    assert.deepEqual(severities, [...severities].sort((a, b) => a - b));
    assert.ok(new Set(severities).size > 1);
  });

  test("texts of documents stay texts", async (t) => {
    const page = await open(t);
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.locator("script").count(), 1);
    assert.ok((await page.content()).includes("onerror"), "the markup is in the report, as text");
    assert.ok((await page.locator("body").evaluate((body) => body.textContent)).includes(markup.slice(0, 20)));
  });

  test("evidence is plotted", async (t) => {
    const page = await open(t);
    const finding = page.locator("article", { has: page.locator(".kicker", { hasText: "unbounded-array" }) }).first();
    await page.goto(address + "#" + (await finding.getAttribute("id")));
    assert.ok(await finding.isVisible());
    assert.ok((await finding.locator(".bin").count()) > 3);
    assert.ok((await finding.locator(".at").count()) >= 3);
    assert.ok((await finding.locator(".limit").count()) >= 3);
    // Marks stand in the order of their values.
    const places = await finding.locator(".at").evaluateAll((marks) => marks.map((m) => m.getBoundingClientRect().left));
    assert.deepEqual(places, [...places].sort((a, b) => a - b));
    assert.ok(await finding.locator(".before pre").first().isVisible());
    assert.ok(await finding.locator(".after pre").first().isVisible());
  });

  for (const width of [1440, 900, 400]) {
    test(`the page fits ${width} pixels`, async (t) => {
      const page = await open(t, { viewport: { width, height: 900 } });
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
      assert.ok(await page.locator(".list").evaluate((list) => list.scrollWidth <= list.clientWidth), "the list");
      assert.ok(await page.locator(".canvas").evaluate((canvas) => canvas.scrollWidth <= canvas.clientWidth), "the diagram opens fitted");
      // Nothing has to be scrolled sideways in a finding either, with the
      // longest names, but for documents where there is room for them.
      const narrow = width === 400 ? "*" : "*:not(pre, pre *)";
      for (const item of await page.locator(".list li").evaluateAll((items) => items.map((li) => li.dataset.id))) {
        await page.locator(`.list a[href="#${item}"]`).click();
        const wide = await page.locator("#" + item).evaluate((article, selector) => [...article.querySelectorAll(selector)]
          .filter((e) => e.getBoundingClientRect().right > article.getBoundingClientRect().right + 1 || ["auto", "scroll"].includes(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1)
          .map((e) => e.outerHTML.slice(0, 120)), narrow);
        assert.deepEqual(wide, [], item);
      }
      await picture(page, "width-" + width);
    });
  }

  test("without scripts everything is there", async (t) => {
    const page = await open(t, { javaScriptEnabled: false });
    assert.equal(await shown(page).count(), await page.locator("article.finding").count());
    assert.equal(await page.locator(".filters").isVisible(), false);
  });
});

describe("use", () => {
  test("a finding is reached by click, in the list and in the diagram", async (t) => {
    const page = await open(t);
    await page.locator(".list a").nth(2).click();
    assert.equal(await shown(page).count(), 1);
    assert.equal(await shown(page).getAttribute("id"), "f3");
    assert.equal(await page.evaluate(() => location.hash), "#f3");
    assert.equal(await page.locator(".list a[aria-current]").getAttribute("href"), "#f3");
    const mark = page.locator(".row .mark").first();
    const target = await mark.getAttribute("href");
    await mark.click();
    assert.equal("#" + (await shown(page).getAttribute("id")), target);
    assert.equal(await focused(page), target, "the finding has the focus");
  });

  test("a finding is reached by keyboard", async (t) => {
    const page = await open(t);
    await page.keyboard.press("j");
    assert.equal(await focused(page), "#f2");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    assert.equal(await focused(page), "#f1", "it stops at the first");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.tagName), "ARTICLE");
    assert.equal(await shown(page).getAttribute("id"), "f2");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.activeElement.tagName), "A");
  });

  test("tab goes through the page in its order", async (t) => {
    const page = await open(t);
    const order = [];
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press("Tab");
      order.push(await page.evaluate(() => document.activeElement.closest(".skip, header.top, .zoom, .canvas, .filters, .list, .details")?.classList[0] ?? ""));
      if (order.at(-1) === "details") break;
    }
    const first = ["skip", "top", "zoom", "canvas", "filters", "list", "details"].map((part) => order.indexOf(part));
    assert.ok(!first.includes(-1), order.join(" "));
    assert.deepEqual(first, [...first].sort((a, b) => a - b));
  });

  test("filters", async (t) => {
    const page = await open(t);
    const left = page.locator(".list li:not([hidden])");
    const all = await left.count();
    await page.keyboard.press("/");
    assert.equal(await focused(page), "#search");
    await page.keyboard.type("unbounded jk");
    assert.equal(await left.count(), 0);
    assert.ok(await page.locator(".none").isVisible());
    assert.equal(await shown(page).count(), 0);
    await page.keyboard.press("Escape");
    assert.equal(await left.count(), all);
    await page.locator(".pill.warning").click();
    assert.equal(await page.locator(".list li[data-severity=warning]:not([hidden])").count(), 0);
    assert.ok((await page.locator("#count").textContent()).includes(` of ${all} findings`));
    await page.locator("button[type=reset]").click();
    await page.locator("#rule").selectOption("stale-copy");
    assert.ok((await left.count()) >= 1);
    assert.deepEqual([...new Set(await left.evaluateAll((items) => items.map((li) => li.dataset.rule)))], ["stale-copy"]);
    await page.locator(".pick", { hasText: "author-books" }).click();
    assert.equal(await page.locator("#collection").inputValue(), "author-books");
    assert.deepEqual([...new Set(await left.evaluateAll((items) => items.map((li) => li.dataset.collection)))], ["author-books"]);
    assert.equal(await shown(page).count(), 1);
    // A link to a finding that the filters hide shows it all the same.
    const other = await page.locator(".row .mark").first();
    await other.click();
    assert.equal("#" + (await shown(page).getAttribute("id")), await other.getAttribute("href"));
  });

  test("the colours follow the system, and then the button", async (t) => {
    const page = await open(t, { colorScheme: "dark" });
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await back();
    await page.emulateMedia({ colorScheme: "light" });
    const light = await back();
    assert.notEqual(dark, light);
    await page.locator("#theme", { hasText: "Dark" }).click(); // once the button knows
    assert.equal(await back(), dark);
    await page.reload();
    assert.equal(await back(), dark, "it is remembered");
  });

  test("the diagram zooms", async (t) => {
    const page = await open(t);
    const width = () => page.locator(".box").first().evaluate((box) => box.getBoundingClientRect().width);
    const start = await width();
    await page.locator("#zoom-out").click();
    assert.ok((await width()) < start);
  });
});

describe("isolation", () => {
  test("the policy of the page forbids every request", async (t) => {
    const page = await open(t);
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      response.setHeader("Access-Control-Allow-Origin", "*").end("<svg xmlns='http://www.w3.org/2000/svg'/>");
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => server.close());
    const elsewhere = `http://127.0.0.1:${server.address().port}/x.svg`;
    const refused = await page.evaluate(async (elsewhere) => {
      const image = new Promise((resolve) => {
        const img = new Image();
        img.onload = () => resolve(false);
        img.onerror = () => resolve(true);
        img.src = elsewhere;
      });
      const request = fetch(elsewhere).then(() => false, () => true);
      const script = new Promise((resolve) => {
        const element = document.createElement("script");
        element.textContent = "window.broken = 1";
        document.body.append(element);
        resolve(window.broken === undefined);
      });
      return Promise.all([image, request, script]);
    }, elsewhere);
    assert.deepEqual(refused, [true, true, true]);
    assert.equal(asked, 0, "nothing arrived");
    assert.ok(page.complaints.some((c) => c.includes("Content Security Policy")), page.complaints.join("\n"));
    page.complaints.length = 0; // the browser says what it refused
  });
});

describe("accessibility", () => {
  for (const colorScheme of ["light", "dark"]) {
    test("no serious violation in " + colorScheme, async (t) => {
      const page = await open(t, { colorScheme, reducedMotion: "reduce" });
      await page.evaluate(axe);
      const items = await page.locator(".list li").evaluateAll((list) => {
        const rules = new Set();
        return list.filter((li) => !rules.has(li.dataset.rule) && rules.add(li.dataset.rule)).map((li) => li.dataset.id);
      });
      assert.ok(items.length >= 5);
      for (const id of items) { // one finding of every rule
        await page.locator(`.list a[href="#${id}"]`).click();
        const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
        const serious = result.violations.filter((v) => v.impact === "serious" || v.impact === "critical");
        assert.deepEqual(serious.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + n.failureSummary).join(" | ")}`), [], id);
      }
      await picture(page, "axe-" + colorScheme);
    });
  }

  test("landmarks, one first heading, and no level left out", async (t) => {
    const page = await open(t);
    for (const landmark of ["banner", "main", "navigation", "search", "contentinfo"]) {
      assert.equal(await page.getByRole(landmark).count(), 1, landmark);
    }
    const levels = await page.locator("h1:visible, h2:visible, h3:visible, h4:visible, h5:visible").evaluateAll((headings) => headings.map((h) => Number(h.tagName[1])));
    assert.equal(levels.filter((level) => level === 1).length, 1);
    levels.forEach((level, i) => assert.ok(i === 0 || level <= levels[i - 1] + 1, "heading " + i));
  });
});
