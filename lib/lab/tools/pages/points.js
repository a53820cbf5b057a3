// Words for the mark of a figure that is nearest to the pointer, a finger, or chosen by arrow keys.
{
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  tip.setAttribute("role", "status");
  document.body.append(tip);
  // Browsers would show a mark's title too: it is taken out once and kept here.
  const marksOf = (svg) =>
    svg.marks ??= [...svg.querySelectorAll("title")].filter((title) => title.parentElement !== svg).map((title) => {
      const [mark, words] = [title.parentElement, title.textContent];
      title.remove();
      return { mark, words };
    });
  const placesOf = (svg) =>
    marksOf(svg).map(({ mark, words }) => {
      const { left, top, width, height } = mark.getBoundingClientRect();
      return { mark, words, left, top, width, height, x: left + width / 2, y: top + height / 2 };
    }).filter(({ mark }) => getComputedStyle(mark).visibility !== "hidden");
  let marked;
  const leave = () => {
    marked?.classList.remove("nearest");
    marked = undefined;
    tip.hidden = true;
  };
  const show = ({ mark, words, x, y, top }) => {
    if (marked !== mark) {
      marked?.classList.remove("nearest");
      marked = mark;
      mark.classList.add("nearest");
      tip.textContent = words;
    }
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    const left = Math.min(Math.max(4, x - width / 2), document.documentElement.clientWidth - width - 4);
    const above = Math.min(top, y) - height - 8;
    tip.style.left = `${left + scrollX}px`;
    tip.style.top = `${(above > 0 ? above : y + 14) + scrollY}px`;
  };
  for (const svg of document.querySelectorAll(".drawing > svg")) {
    let places, at = -1;
    const near = ({ clientX, clientY }) => {
      places ??= placesOf(svg);
      let best, least = 60;
      for (const place of places) {
        const dx = Math.max(place.left - clientX, 0, clientX - place.left - place.width);
        const dy = Math.max(place.top - clientY, 0, clientY - place.top - place.height);
        // Inside a large mark its middle counts a little, so that small marks on it can be reached.
        const distance = Math.hypot(dx, dy) + Math.hypot(place.width, place.height) / 1000;
        if (distance < least) [best, least] = [place, distance];
      }
      if (best === undefined) return leave();
      at = places.indexOf(best);
      show(best);
    };
    svg.addEventListener("pointerenter", () => places = undefined);
    svg.addEventListener("pointermove", near);
    svg.addEventListener("pointerdown", (event) => {
      places = undefined;
      near(event);
    });
    svg.addEventListener("pointerleave", ({ pointerType }) => pointerType === "touch" || leave());
    svg.addEventListener("blur", leave);
    svg.addEventListener("keydown", (event) => {
      if (event.key === "Escape") return leave();
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      places = placesOf(svg);
      if (step === undefined || places.length === 0) return;
      event.preventDefault();
      at = at < 0 ? (step > 0 ? 0 : places.length - 1) : (at + step + places.length) % places.length;
      show(places[at]);
    });
  }
  addEventListener("scroll", leave, { passive: true });
}
