"use strict";
(() => {
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const root = document.documentElement;

  // Colours: what the system prefers, until the button says otherwise.
  const theme = one("#theme");
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => {
    try { return localStorage.getItem("shapevet-theme"); } catch { return null; }
  };
  const paint = (wanted) => {
    root.style.colorScheme = wanted || "light dark";
    const dark = wanted ? wanted === "dark" : prefersDark.matches;
    theme.textContent = dark ? "Light" : "Dark";
    theme.setAttribute("aria-label", dark ? "Use light colours" : "Use dark colours");
    theme.dataset.next = dark ? "light" : "dark";
  };
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const next = theme.dataset.next;
    try { localStorage.setItem("shapevet-theme", next); } catch { /* the page is in a sandbox */ }
    paint(next);
  });
  prefersDark.addEventListener("change", () => paint(stored()));
  paint(stored());

  // The diagram: zoom, and the arrows of the box under the pointer.
  const drawing = one("#drawing");
  if (drawing) {
    const canvas = drawing.parentElement;
    const width = parseFloat(drawing.style.width);
    let zoom = 1;
    const scale = (z) => {
      zoom = Math.min(2, Math.max(0.1, z));
      drawing.style.zoom = zoom;
    };
    // All of it, as far as it can still be read when it is high.
    const height = parseFloat(drawing.style.height);
    const fit = () => scale(Math.min(1, (canvas.clientWidth - 4) / width, Math.max(0.4, parseFloat(getComputedStyle(canvas).maxHeight) / height)));
    fit();
    one(".zoom").hidden = false;
    one("#zoom-in").addEventListener("click", () => scale(zoom * 1.2));
    one("#zoom-out").addEventListener("click", () => scale(zoom / 1.2));
    one("#zoom-fit").addEventListener("click", fit);
    const arrows = all(".arrow", drawing);
    const light = (box) => arrows.forEach((a) => a.classList.toggle("lit", box !== null && (a.dataset.from === box || a.dataset.to === box)));
    all(".box", drawing).forEach((box) => {
      const on = () => light(box.dataset.box), off = () => light(null);
      box.addEventListener("pointerenter", on);
      box.addEventListener("pointerleave", off);
      box.addEventListener("focusin", on);
      box.addEventListener("focusout", off);
    });
  }

  const items = all(".list li");
  if (items.length === 0) return;
  root.classList.add("js");
  const form = one(".filters"), search = one("#search"), rule = one("#rule"), collection = one("#collection");
  const list = one(".list"), none = one(".none"), count = one("#count");
  form.hidden = false;
  one(".hint").hidden = false;
  const articles = new Map(items.map((li) => [li.dataset.id, document.getElementById(li.dataset.id)]));
  const texts = new Map();
  const text = (id) => {
    if (!texts.has(id)) texts.set(id, articles.get(id).textContent.toLowerCase());
    return texts.get(id);
  };
  let current = null;

  const visible = () => items.filter((li) => !li.hidden);
  const reveal = (element, within) => {
    const e = element.getBoundingClientRect(), w = within.getBoundingClientRect();
    if (e.top < w.top) within.scrollTop += e.top - w.top - 4;
    else if (e.bottom > w.bottom) within.scrollTop += e.bottom - w.bottom + 4;
  };
  const show = (li) => {
    if (current) {
      one("a", current).removeAttribute("aria-current");
      articles.get(current.dataset.id).classList.remove("open");
    }
    current = li;
    if (!li) return;
    one("a", li).setAttribute("aria-current", "true");
    articles.get(li.dataset.id).classList.add("open");
    reveal(li, list);
    all(".box").forEach((box) => box.classList.toggle("picked", one(".pick", box)?.dataset.collection === li.dataset.collection && li.dataset.collection !== ""));
  };
  const read = () => {
    if (!current) return;
    const article = articles.get(current.dataset.id);
    article.focus({ preventScroll: true });
    const top = article.getBoundingClientRect().top, bar = getComputedStyle(form).position === "sticky" ? form.offsetHeight : 0;
    if (top < bar || top > innerHeight * 0.6) scrollBy({ top: top - bar - 12 });
  };
  const remember = () => {
    try { history.replaceState(null, "", current ? "#" + current.dataset.id : location.pathname); } catch { /* about:srcdoc */ }
  };
  const filter = () => {
    const severities = new Set(all("[name=severity]:checked", form).map((box) => box.value));
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const li of items) {
      const d = li.dataset;
      li.hidden = !severities.has(d.severity) || (rule.value !== "" && d.rule !== rule.value) ||
        (collection !== null && collection.value !== "" && d.collection !== collection.value) ||
        !words.every((word) => text(d.id).includes(word));
    }
    const left = visible();
    none.hidden = left.length > 0;
    const whole = items.length === 1 ? "1 finding" : `${items.length} findings`;
    count.textContent = left.length === items.length ? whole : `${left.length} of ${whole}`;
    if (!current || current.hidden) show(left[0] ?? null);
  };
  const step = (by) => {
    const left = visible();
    if (left.length === 0) return;
    const next = left[Math.min(left.length - 1, Math.max(0, left.indexOf(current) + by))];
    show(next);
    remember();
    one("a", next).focus({ preventScroll: true });
    const bar = form.getBoundingClientRect();
    if (list.getBoundingClientRect().top > innerHeight * 0.7 || bar.bottom < 0) form.scrollIntoView();
  };
  const go = (id) => {
    const li = items.find((item) => item.dataset.id === id);
    if (!li) return false;
    if (li.hidden) {
      form.reset();
      filter();
    }
    show(li);
    remember();
    read();
    return true;
  };

  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && go(link.hash.slice(1))) event.preventDefault();
    const pick = event.target.closest(".pick");
    if (pick && collection) {
      form.reset();
      collection.value = pick.dataset.collection;
      filter();
      show(visible()[0] ?? null);
      remember();
      form.scrollIntoView();
      one("a", current ?? list)?.focus({ preventScroll: true });
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches("input[type=search], select, textarea");
    if (event.key === "Escape") {
      if (event.target === search && search.value !== "") {
        search.value = "";
        filter();
      } else if (current && (typing || event.target.closest(".finding"))) {
        one("a", current).focus();
      }
      return;
    }
    if (event.key === "Enter" && event.target === search) {
      event.preventDefault();
      if (current) one("a", current).focus();
      return;
    }
    if (typing) return;
    if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "/") {
      search.focus();
      search.select();
    } else if (event.key === "Enter" && event.target === document.body) read();
    else return;
    event.preventDefault();
  });
  addEventListener("hashchange", () => go(location.hash.slice(1)));

  filter();
  const wanted = items.find((li) => "#" + li.dataset.id === location.hash);
  if (wanted) {
    show(wanted);
    read();
  }
})();
