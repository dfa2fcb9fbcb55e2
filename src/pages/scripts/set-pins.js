// Comments on a spot: a tap on the picture, or Enter, sets a pin and opens the form next to it (contract P21).
import { placeBox } from "./place-box.js";

const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Up to this width, the form opens as a sheet at the bottom of the screen, as in review.css. */
const isNarrow = matchMedia("(max-width: 48rem)");
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
const gap = 12;

const between = (least, value, most) => Math.max(Math.min(value, most), least);
const percent = (share) => between(0, Math.round(share * 1000) / 10, 100);

export function setPins() {
  const aim = document.querySelector(".aim");
  const sheet = document.querySelector("#respond");
  if (!aim || !sheet) return;
  const pins = aim.closest(".picture").querySelector(".pins");
  const spot = { x: 50, y: 50 };
  const marks = marksOn(pins, spot);
  const form = movableForm(sheet, aim, spot);
  const open = () => {
    marks.move();
    marks.setPin();
    form.open();
  };
  const close = () => {
    marks.removePin();
    form.close();
  };
  aim.addEventListener("click", (event) => {
    // A key press on a button has no position.
    if (event.detail > 0) {
      const { left, top, width, height } = aim.getBoundingClientRect();
      spot.x = percent((event.clientX - left) / width);
      spot.y = percent((event.clientY - top) / height);
    }
    open();
  });
  moveByKeys(aim, spot, marks.move);
  sheet.querySelector("[data-remove-pin]").addEventListener("click", close);
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && marks.isPinned() && !document.querySelector("dialog[open]")) close();
  });
  if (form.readSpot()) {
    form.takeAlert();
    open();
  }
}

/** Creates the numbered pin that is being set, and the crosshair for the keyboard. */
function marksOn(pins, spot) {
  // For the keyboard, the picture is a single tab stop, because each pin is also linked from its comment.
  const links = pins.querySelectorAll("a");
  for (const link of links) link.tabIndex = -1;
  const pin = markOf(
    "draft",
    `<circle class="pin-spot" r="4"/>
    <g transform="translate(13 -13)"><circle r="14"/><text y="4.5">${links.length + 1}</text></g>`,
  );
  const cross = markOf("cross", '<path d="M-14 0H14M0 -14V14"/>');
  const move = () => {
    for (const mark of [pin, cross]) {
      mark.setAttribute("x", `${spot.x}%`);
      mark.setAttribute("y", `${spot.y}%`);
    }
  };
  move();
  pins.append(cross);
  return {
    move,
    setPin: () => pins.append(pin),
    removePin: () => pin.remove(),
    isPinned: () => pin.isConnected,
  };
}

/** Creates a marker. Its size does not depend on the picture's size. */
function markOf(name, drawn) {
  const mark = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  mark.setAttribute("class", name);
  mark.setAttribute("overflow", "visible");
  mark.innerHTML = drawn;
  return mark;
}

function moveByKeys(aim, spot, move) {
  const said = aim.parentElement.querySelector("output");
  aim.addEventListener("keydown", (event) => {
    const direction = arrows[event.key];
    if (!direction) return;
    event.preventDefault();
    const step = event.shiftKey ? 10 : 1;
    spot.x = between(0, spot.x + step * direction[0], 100);
    spot.y = between(0, spot.y + step * direction[1], 100);
    move();
    said.textContent = `${spot.x} % across, ${spot.y} % down`;
  });
}

/** Moves the page's form to the pin and back without losing the typed text. */
function movableForm(sheet, aim, spot) {
  const [across, down, comment, author] = ["across", "down", "body", "author_name"].map((name) =>
    sheet.querySelector(`[name=${name}]`),
  );
  const removing = sheet.querySelector("[data-remove-pin]");
  const isNameKnown = author.value !== "" && !author.ariaInvalid;
  const home = document.createComment("");
  sheet.before(home);
  sheet.querySelector("[data-without-script]").hidden = true;

  const place = () => {
    sheet.style.cssText = "";
    if (sheet.classList.contains("at-pin")) (isNarrow.matches ? placeBelow : placeBeside)(sheet, aim, spot);
  };
  const show = (isAtPin) => {
    sheet.classList.toggle("at-pin", isAtPin);
    removing.hidden = !isAtPin;
    author.closest(".field").hidden = isAtPin && isNameKnown;
    [across.value, down.value] = isAtPin ? [spot.x, spot.y] : ["", ""];
    place();
  };
  // The picture has no size until it has loaded.
  new ResizeObserver(place).observe(aim);
  window.visualViewport.addEventListener("resize", place);
  return {
    /** Reads the pin's spot from a rejected form, or from a page in the browser's history. */
    readSpot() {
      const isSet = [across, down].every(({ value, validity }) => value !== "" && validity.valid);
      if (isSet) [spot.x, spot.y] = [Number(across.value), Number(down.value)];
      return isSet;
    },
    /** Moves the form's error into the form, which would otherwise cover the error. */
    takeAlert() {
      const alert = document.querySelector(".upper > [role=alert]");
      if (alert) sheet.querySelector("form").prepend(alert);
    },
    open() {
      aim.closest(".work").append(sheet);
      show(true);
      (sheet.querySelector("[aria-invalid]") ?? comment).focus({ preventScroll: true });
    },
    close() {
      home.after(sheet);
      show(false);
      aim.focus({ preventScroll: true });
    },
  };
}

/** Returns the spot in window pixels. */
function pixelsOf(aim, spot) {
  const { left, top, width, height } = aim.getBoundingClientRect();
  return { x: left + (width * spot.x) / 100, y: top + (height * spot.y) / 100 };
}

/** Places the box inside both the window and the work. */
function placeBeside(sheet, aim, spot) {
  const { left, right, top } = aim.closest(".work").getBoundingClientRect();
  const box = { width: sheet.offsetWidth, height: sheet.offsetHeight };
  const room = { left, right, top: gap, bottom: window.innerHeight - gap };
  const { x, y } = placeBox(pixelsOf(aim, spot), box, room);
  sheet.style.left = `${x - left}px`;
  sheet.style.top = `${y - top}px`;
}

/** Places the form above the phone's on-screen keyboard, and scrolls until the pin is visible above the form. */
function placeBelow(sheet, aim, spot) {
  const { height, offsetTop } = window.visualViewport;
  sheet.style.bottom = `${Math.max(window.innerHeight - height - offsetTop, 0)}px`;
  const { y } = pixelsOf(aim, spot);
  const free = height - sheet.offsetHeight;
  if (y >= 4 * gap && y <= free - 2 * gap) return;
  window.scrollBy({ top: y - free / 2, behavior: isCalm.matches ? "auto" : "smooth" });
}
