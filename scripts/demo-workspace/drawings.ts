/**
 * The work that the demo workspace's clients review, as SVG: each drawing in the versions that a review went through.
 */

const font = "font-family='Inter Variable'";

const text = (x: number, y: number, size: number, weight: number, fill: string, content: string, more = "") =>
  `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}" ${font} ${more}>${content}</text>`;

const svg = (width: number, height: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`;

interface Scene {
  sky: readonly [string, string];
  sun: string;
  /** From the farthest range of mountains to the nearest. */
  ranges: readonly [string, string, string, string];
  ink: string;
  soft: string;
  button: readonly [fill: string, ink: string];
  headline: number;
  card: string;
}

/** Of the page's width, 1600. */
const ridges = [
  "M0 640 L120 560 L230 600 L380 470 L520 590 L640 520 L790 610 L960 480 L1090 580 L1240 500 L1400 590 L1600 510 V1000 H0Z",
  "M0 720 L160 640 L300 700 L470 580 L640 700 L800 640 L1010 720 L1180 600 L1330 690 L1480 630 L1600 690 V1000 H0Z",
  "M0 800 L200 730 L360 790 L560 690 L760 800 L930 740 L1120 810 L1300 720 L1450 790 L1600 750 V1000 H0Z",
  "M0 900 L240 850 L480 890 L720 830 L980 900 L1220 850 L1420 890 L1600 860 V1000 H0Z",
] as const;

const jacket = (x: number, body: string, dark: string) =>
  `<g transform="translate(${x} 628)"><path d="M42 18 L70 4 H110 L138 18 L172 96 L146 112 L132 82 V176 H48 V82 L34 112 L8 96Z" fill="${body}"/>
  <path d="M70 4 Q90 26 110 4 L104 28 H76Z" fill="${dark}"/><path d="M90 24 V176" stroke="${dark}" stroke-width="5"/>
  <path d="M58 132 H80 M100 132 H122" stroke="${dark}" stroke-width="5" stroke-linecap="round"/></g>`;

const product = (x: number, scene: Scene, [name, price]: [string, string], body: string, dark: string) =>
  `<rect x="${x}" y="600" width="236" height="284" rx="20" fill="${scene.card}"/>${jacket(x + 28, body, dark)}
  ${text(x + 22, 858, 21, 620, scene.ink, name)}${text(x + 214, 858, 21, 450, scene.soft, price, "text-anchor='end'")}`;

/** The first screen of an outdoor shop. */
function homepage(scene: Scene): string {
  const { sky, sun, ranges, ink, soft, button, headline } = scene;
  const menu = ["Jackets", "Tents", "Repair", "Journal", "Basket (2)"];
  const lines = ["Made for", "weather."].map((line, index) =>
    text(108, 320 + headline * 0.98 * (index + 0.35), headline, 780, ink, line, "letter-spacing='-0.035em'"),
  );
  return svg(
    1600,
    1000,
    `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${sky[0]}"/>
    <stop offset="1" stop-color="${sky[1]}"/></linearGradient><radialGradient id="glow"><stop offset="0" stop-color="${sun}" stop-opacity=".55"/>
    <stop offset="1" stop-color="${sun}" stop-opacity="0"/></radialGradient></defs>
    <rect width="1600" height="1000" fill="url(#sky)"/><circle cx="1190" cy="360" r="420" fill="url(#glow)"/>
    <circle cx="1190" cy="360" r="128" fill="${sun}"/>
    ${ridges.map((ridge, index) => `<path d="${ridge}" fill="${ranges[index]}"/>`).join("")}
    <path d="M108 92 L132 50 L147 76 L156 62 L174 92Z" fill="${ink}"/>${text(188, 90, 30, 760, ink, "NORTHWIND", "letter-spacing='.06em'")}
    ${menu.map((item, index) => text(1000 + index * 118, 88, 20, 520, ink, item)).join("")}
    ${text(110, 196, 22, 620, soft, "WINTER 2026", "letter-spacing='.18em'")}
    ${lines.join("")}
    ${text(112, 680, 27, 420, soft, "Shells and insulation from recycled sails.")}
    ${text(112, 718, 27, 420, soft, "Repaired free, for as long as you wear them.")}
    <rect x="110" y="762" width="240" height="70" rx="35" fill="${button[0]}"/>${text(230, 805, 23, 640, button[1], "Shop the winter", "text-anchor='middle'")}
    ${text(388, 805, 23, 600, ink, "How we repair →")}
    ${product(790, scene, ["Storm shell", "€ 340"], "#d96a3f", "#8c3a1c")}
    ${product(1046, scene, ["Down hood", "€ 290"], "#c9b458", "#7d6c25")}
    ${product(1302, scene, ["Field anorak", "€ 260"], "#84a4aa", "#476670")}`,
  );
}

const light: Scene = {
  sky: ["#eef3ee", "#f8ead9"],
  sun: "#f3c49a",
  ranges: ["#c3d4c8", "#9db8a8", "#78998a", "#56796c"],
  ink: "#173029",
  soft: "#3d564d",
  button: ["#e5572f", "#ffffff"],
  headline: 112,
  card: "rgba(255,255,255,.82)",
};

const dark: Scene = {
  sky: ["#0d1a20", "#223833"],
  sun: "#ff9a5c",
  ranges: ["#3c5a53", "#2c4743", "#1d3233", "#101f24"],
  ink: "#fcf3e6",
  soft: "#c9d3cd",
  button: ["#e5572f", "#ffffff"],
  headline: 124,
  card: "rgba(255,255,255,.09)",
};

interface Poster {
  paper: string;
  ink: string;
  accent: string;
  discs: readonly [string, string, string];
  blend: "multiply" | "screen";
  /** The exhibition's name, line by line. */
  title: readonly string[];
  size: number;
}

/** The poster of an exhibition of glass. */
function poster({ paper, ink, accent, discs, blend, title, size }: Poster): string {
  const [first, second, third] = discs;
  return svg(
    1200,
    1600,
    `<rect width="1200" height="1600" fill="${paper}"/>
    <g style="mix-blend-mode:${blend}"><circle cx="480" cy="640" r="310" fill="${first}"/></g>
    <g style="mix-blend-mode:${blend}"><circle cx="760" cy="560" r="250" fill="${second}"/></g>
    <g style="mix-blend-mode:${blend}"><circle cx="690" cy="850" r="200" fill="${third}"/></g>
    <circle cx="400" cy="540" r="92" fill="#ffffff" opacity=".5"/><circle cx="828" cy="470" r="54" fill="#ffffff" opacity=".5"/>
    <path d="M96 1046 H1104" fill="none" stroke="${accent}" stroke-width="6"/>
    ${text(96, 140, 30, 640, ink, "MUSEUM OF CRAFT", "letter-spacing='.14em'")}
    ${text(1104, 140, 30, 640, ink, "HALL 2", "text-anchor='end' letter-spacing='.14em'")}
    ${title.map((line, index) => text(88, 1070 + size * 0.88 + index * size * 0.94, size, 800, ink, line, "letter-spacing='-0.04em'")).join("")}
    <rect x="96" y="1436" width="1008" height="6" fill="${accent}"/>
    ${text(96, 1502, 34, 620, ink, "12 February – 24 May 2027")}
    ${text(1104, 1502, 34, 450, ink, "Tuesday to Sunday, 10–18", "text-anchor='end'")}`,
  );
}

interface Bag {
  side: string;
  label: string;
  ink: string;
  accent: string;
  name: string;
  notes: string;
}

const bag = (x: number, { side, label, ink, accent, name, notes }: Bag, motif: string) =>
  `<g transform="translate(${x} 0)"><ellipse cx="210" cy="932" rx="220" ry="24" fill="#000000" opacity=".13"/>
  <path d="M24 190 H396 L414 922 Q210 940 6 922Z" fill="${side}"/><path d="M24 190 H396 L398 250 H22Z" fill="#000000" opacity=".16"/>
  <path d="M24 190 L210 214 L396 190" fill="none" stroke="#ffffff" stroke-opacity=".25" stroke-width="4"/>
  <circle cx="210" cy="310" r="15" fill="#000000" opacity=".28"/><circle cx="210" cy="310" r="7" fill="${side}"/>
  <rect x="56" y="370" width="308" height="464" rx="14" fill="${label}"/>${motif}
  ${text(82, 426, 23, 720, ink, "KAFFA", "letter-spacing='.22em'")}${text(338, 426, 19, 520, ink, "250 g", "text-anchor='end'")}
  ${text(82, 720, 48, 760, ink, name, "letter-spacing='-0.03em'")}${text(82, 758, 21, 450, ink, notes)}
  <rect x="82" y="784" width="84" height="8" rx="4" fill="${accent}"/></g>`;

const sunMotif = (fill: string) => `<circle cx="210" cy="560" r="78" fill="${fill}"/>`;
const waveMotif = (fill: string) =>
  [0, 1, 2, 3]
    .map(
      (row) =>
        `<path d="M82 ${500 + row * 40} q32 -34 64 0 t64 0 t64 0 t64 0" fill="none" stroke="${fill}" stroke-width="13" stroke-linecap="round"/>`,
    )
    .join("");
const leafMotif = (fill: string) =>
  `<path d="M210 646 C120 610 120 520 210 470 C300 520 300 610 210 646Z" fill="${fill}"/><path d="M210 640 V500" stroke="#ffffff" stroke-opacity=".7" stroke-width="6"/>`;

/** Three bags of a coffee roaster. */
function packaging(background: string, bags: readonly [Bag, Bag, Bag]): string {
  const [yirga, huila, decaf] = bags;
  return svg(
    1600,
    1100,
    `<rect width="1600" height="1100" fill="${background}"/><rect y="900" width="1600" height="200" fill="#000000" opacity=".05"/>
    ${bag(110, yirga, sunMotif(yirga.accent))}${bag(590, huila, waveMotif(huila.accent))}${bag(1070, decaf, leafMotif(decaf.accent))}`,
  );
}

const paperBags: readonly [Bag, Bag, Bag] = [
  {
    side: "#b98b5e",
    label: "#f7efe2",
    ink: "#3a2717",
    accent: "#d97b3c",
    name: "Yirga",
    notes: "Apricot, jasmine",
  },
  {
    side: "#b98b5e",
    label: "#f7efe2",
    ink: "#3a2717",
    accent: "#3f7f8c",
    name: "Huila",
    notes: "Plum, cocoa",
  },
  {
    side: "#b98b5e",
    label: "#f7efe2",
    ink: "#3a2717",
    accent: "#5d8a4e",
    name: "Decaf",
    notes: "Caramel, almond",
  },
];

const colourBags: readonly [Bag, Bag, Bag] = [
  {
    side: "#e2603a",
    label: "#fff4e8",
    ink: "#4a1a0b",
    accent: "#f2a33c",
    name: "Yirga",
    notes: "Apricot, jasmine",
  },
  {
    side: "#1f5c6b",
    label: "#eef7f6",
    ink: "#0d2f38",
    accent: "#2f8fa3",
    name: "Huila",
    notes: "Plum, cocoa",
  },
  {
    side: "#4d7a45",
    label: "#f2f7ea",
    ink: "#1f3a1b",
    accent: "#7fae5e",
    name: "Decaf",
    notes: "Caramel, almond",
  },
];

const glass = {
  paper: "#f4efe6",
  ink: "#1d2733",
  accent: "#1d2733",
  discs: ["#7fb7d6", "#e7a6a0", "#f1cf7a"],
  blend: "multiply",
} as const;

/** By the name of the file that each becomes. */
export const drawings: Readonly<Record<string, string>> = {
  "homepage-1": homepage(light),
  "homepage-2": homepage(dark),
  "homepage-3": homepage({ ...dark, headline: 188, button: ["#ffb27d", "#33160a"] }),
  "poster-1": poster({ ...glass, title: ["The Colour", "of Glass"], size: 132 }),
  "poster-2": poster({
    ...glass,
    paper: "#10202e",
    ink: "#f4efe6",
    accent: "#f1cf7a",
    discs: ["#1f6f9c", "#c9504a", "#d9a02c"],
    blend: "screen",
    title: ["The Colour", "of Glass"],
    size: 176,
  }),
  "packaging-1": packaging("#efe7da", paperBags),
  "packaging-2": packaging("#f3ece2", colourBags),
};
