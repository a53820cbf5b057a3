// Comfort only: everything on a page can be read without this.

// One switch for the code of all cells.
document.getElementById("show-code")?.addEventListener("change", ({ target }) => {
  for (const cell of document.querySelectorAll("details.code")) cell.open = target.checked;
});

// The contents mark the section that is being read.
{
  const links = new Map(
    [...document.querySelectorAll(".contents a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
  );
  const reading = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(target.id).setAttribute("aria-current", "true");
    }
  }, { rootMargin: "0px 0px -70% 0px" });
  for (const id of links.keys()) {
    const section = document.getElementById(id);
    if (section) reading.observe(section);
  }
}

// The landing page finds notebooks by their words.
document.getElementById("search")?.addEventListener("input", ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/).filter(Boolean);
  const cards = [...document.querySelectorAll(".card")];
  for (const card of cards) card.hidden = !words.every((word) => card.dataset.words.includes(word));
  const found = cards.filter((card) => !card.hidden).length;
  document.getElementById("found").textContent = words.length ? `${found} of ${cards.length} notebooks` : "";
});
