/** Written before the bundle by `controls_bundle.ts`. */
declare const $controls: { readonly name: string; readonly data: unknown };

/**
 * Takes over the place that the output left for it, once it is on the page: the still picture gives way to what `start`
 * builds in a shadow root. Styles of the page do not reach in, ids do not meet, and the same output may stand on a page
 * twice. When `start` fails the picture stays, with a word about it.
 */
export function mount<Data>(start: (root: ShadowRoot, data: Data) => void): void {
  // Some viewers run the script before they put the output on the page.
  waitFor(`[data-controls="${$controls.name}"]:not([data-mounted])`, (place) => {
    place.setAttribute("data-mounted", "");
    const host = document.createElement("div");
    try {
      // The data are ours, written by the same version of the project.
      start(host.attachShadow({ mode: "open" }), $controls.data as Data);
    } catch (error) {
      place.append("The controls could not be started; this is a still picture.");
      throw error;
    }
    place.replaceChildren(host);
  });
}

const PATIENCE = 100;

function waitFor(selector: string, found: (place: Element) => void, tries = PATIENCE): void {
  const place = document.querySelector(selector);
  if (place !== null) found(place);
  else if (tries > 0) requestAnimationFrame(() => waitFor(selector, found, tries - 1));
}
