import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { providers } from "./embed-providers.ts";
import { embedOf } from "./embeds.ts";

const id44 = "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms";
const loom = "0281766fa2d04bb788eaf19e65135184";

const framed: [provider: string, address: string, src: string][] = [
  [
    "Figma",
    "https://www.figma.com/design/nrPSsILSYjesyc5UHjYYa4/Home?node-id=1-2&t=x",
    "https://embed.figma.com/design/nrPSsILSYjesyc5UHjYYa4?node-id=1-2&embed-host=client-review",
  ],
  [
    "Figma",
    "https://figma.com/file/nrPSsILSYjesyc5UHjYYa4/Home",
    "https://embed.figma.com/design/nrPSsILSYjesyc5UHjYYa4?embed-host=client-review",
  ],
  [
    "Figma",
    "https://www.figma.com/embed?embed_host=share&url=https%3A%2F%2Fwww.figma.com%2Ffile%2FnrPSsILSYjesyc5UHjYYa4%2FHome",
    "https://embed.figma.com/design/nrPSsILSYjesyc5UHjYYa4?embed-host=client-review",
  ],
  [
    "Figma",
    "https://www.figma.com/proto/nrPSsILSYjesyc5UHjYYa4/P?starting-point-node-id=5%3A3",
    "https://embed.figma.com/proto/nrPSsILSYjesyc5UHjYYa4?starting-point-node-id=5%3A3&embed-host=client-review",
  ],
  [
    "YouTube",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1m30s",
    "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=90",
  ],
  ["YouTube", "https://youtu.be/dQw4w9WgXcQ", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"],
  [
    "YouTube",
    "https://www.youtube.com/shorts/dQw4w9WgXcQ",
    "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
  ],
  [
    "YouTube",
    "https://m.youtube.com/watch?v=dQw4w9WgXcQ&t=1h2m3s",
    "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=3723",
  ],
  [
    "YouTube",
    "https://www.youtube.com/embed/dQw4w9WgXcQ?start=42",
    "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=42",
  ],
  [
    "Vimeo",
    "https://player.vimeo.com/video/76979871?h=abcdef0123",
    "https://player.vimeo.com/video/76979871?h=abcdef0123&dnt=1",
  ],
  [
    "Figma",
    "https://www.figma.com/board/nrPSsILSYjesyc5UHjYYa4/B?page-id=0%3A1",
    "https://embed.figma.com/board/nrPSsILSYjesyc5UHjYYa4?page-id=0%3A1&embed-host=client-review",
  ],
  ["Vimeo", "https://vimeo.com/76979871", "https://player.vimeo.com/video/76979871?dnt=1"],
  [
    "Vimeo",
    "https://vimeo.com/76979871/abcdef0123",
    "https://player.vimeo.com/video/76979871?h=abcdef0123&dnt=1",
  ],
  ["Loom", `https://www.loom.com/share/${loom}?sid=1`, `https://www.loom.com/embed/${loom}`],
  [
    "Google Docs",
    `https://docs.google.com/document/d/${id44}/edit?usp=sharing`,
    `https://docs.google.com/document/d/${id44}/preview`,
  ],
  [
    "Google Docs",
    `https://docs.google.com/spreadsheets/d/e/${id44}/pubhtml`,
    `https://docs.google.com/spreadsheets/d/e/${id44}/pub?embedded=true`,
  ],
  [
    "Google Docs",
    `https://docs.google.com/presentation/d/${id44}/edit#slide=id.p`,
    `https://docs.google.com/presentation/d/${id44}/embed?slide=id.p`,
  ],
  [
    "Google Docs",
    `https://docs.google.com/document/d/${id44}/edit?resourcekey=0-aB_c&tab=t.x1`,
    `https://docs.google.com/document/d/${id44}/preview?tab=t.x1&resourcekey=0-aB_c`,
  ],
  [
    "Google Docs",
    `https://docs.google.com/spreadsheets/d/${id44}/edit?resourcekey=0-a&gid=77#gid=77`,
    `https://docs.google.com/spreadsheets/d/${id44}/preview?gid=77&resourcekey=0-a#gid=77`,
  ],
  [
    "Google Docs",
    `https://docs.google.com/spreadsheets/d/e/${id44}/pubhtml?gid=7&single=true`,
    `https://docs.google.com/spreadsheets/d/e/${id44}/pub?embedded=true&gid=7&single=true`,
  ],
  [
    "Google Docs",
    `https://docs.google.com/presentation/d/${id44}/edit?resourcekey=0-a`,
    `https://docs.google.com/presentation/d/${id44}/embed?resourcekey=0-a`,
  ],
  [
    "Google Drive",
    `https://drive.google.com/file/d/${id44}/view?usp=sharing&resourcekey=0-a`,
    `https://drive.google.com/file/d/${id44}/preview?resourcekey=0-a`,
  ],
  ["Loom", `https://www.loom.com/share/${loom}?t=90`, `https://www.loom.com/embed/${loom}?t=90`],
  ["Vimeo", "https://vimeo.com/76979871#t=1m30s", "https://player.vimeo.com/video/76979871?dnt=1#t=90s"],
  [
    "YouTube",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&si=x#t=90",
    "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=90",
  ],
  [
    "YouTube",
    "https://www.youtube.com/embed/dQw4w9WgXcQ?start=42&end=60",
    "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=42&end=60",
  ],
  [
    "Miro",
    "https://miro.com/app/board/o9J_l9_I58Q=/?moveToWidget=345",
    "https://miro.com/app/live-embed/o9J_l9_I58Q=/?moveToWidget=345",
  ],
  [
    "CodePen",
    "https://codepen.io/team/codepen/embed/PNaGbb?default-tab=css%2Cresult",
    "https://codepen.io/team/codepen/embed/PNaGbb?default-tab=css%2Cresult",
  ],
  [
    "Google Docs",
    `https://docs.google.com/presentation/d/e/${id44}/pub?start=false`,
    `https://docs.google.com/presentation/d/e/${id44}/embed`,
  ],
  [
    "Google Drive",
    `https://drive.google.com/file/d/${id44}/view`,
    `https://drive.google.com/file/d/${id44}/preview`,
  ],
  [
    "Miro",
    "https://miro.com/app/board/o9J_l9_I58Q=/?share_link_id=1",
    "https://miro.com/app/live-embed/o9J_l9_I58Q=/",
  ],
  [
    "CodePen",
    "https://codepen.io/team/codepen/pen/PNaGbb",
    "https://codepen.io/team/codepen/embed/PNaGbb?default-tab=result",
  ],
  [
    "Canva",
    "https://www.canva.com/design/DAFabcdefgh/abcDEFghiJKLmno/view?utm_source=1",
    "https://www.canva.com/design/DAFabcdefgh/abcDEFghiJKLmno/view?embed",
  ],
  [
    "Canva",
    "https://canva.com/design/DAFabcdefgh/abcDEFghiJKLmno/watch",
    "https://www.canva.com/design/DAFabcdefgh/abcDEFghiJKLmno/view?embed",
  ],
];

describe("an embed [P4]", () => {
  it.each(framed)(
    "from %s keeps the parts of the URL that identify the content: %s",
    (provider, address, src) => {
      expect(embedOf(address)).toMatchObject({ provider, src });
    },
  );

  it("is tested for every provider", () => {
    expect(new Set(framed.map(([provider]) => provider))).toEqual(new Set(providers.map(({ name }) => name)));
  });

  it("loads only the provider's origin, which frame-src allows", () => {
    for (const [, address] of framed) {
      const embed = embedOf(address);
      expect(providers.map(({ origin }) => origin)).toContain(new URL(embed?.src ?? "").origin);
    }
  });

  it("cannot navigate the page, and gets a referrer only if it is from YouTube", () => {
    for (const [provider, address] of framed) {
      expect(embedOf(address)?.sandbox).not.toMatch(/top-navigation|downloads|modals/);
      expect(embedOf(address)?.referrerPolicy).toBe(provider === "YouTube" ? "strict-origin" : "no-referrer");
    }
  });
});

it("an embed may go full screen, and a video may also play protected content and picture-in-picture", () => {
  const videos = ["YouTube", "Vimeo", "Loom"];
  for (const [provider, address] of framed) {
    expect(embedOf(address)?.allow).toBe(
      videos.includes(provider) ? "fullscreen; encrypted-media; picture-in-picture" : "fullscreen",
    );
  }
});

describe("links to content that a frame cannot show [P4]", () => {
  const key = "nrPSsILSYjesyc5UHjYYa4";
  const branch = `https://www.figma.com/design/${key}/branch/aBcDeFgHiJkLmN/Home`;
  it.each([
    branch,
    branch.replace("design", "file"),
    branch.replace("design", "proto"),
    branch.replace("branch/", "Branch%2F"),
    branch.replace("/aBcDeFgHiJkLmN/Home", ""),
    branch.replace("/branch/aBcDeFgHiJkLmN/Home", "/Branch/"),
    branch.replace("/Home", ""),
    branch.replace("branch/aBcDeFgHiJkLmN/Home", "branch%2FaBcDeFgHiJkLmN"),
    branch.replace("/branch/", "//branch/"),
    `https://www.figma.com/embed?url=${encodeURIComponent(branch)}`,
    `https://www.figma.com/embed?url=${encodeURIComponent(`https://www.figma.com/file/${key}?version-id=1`)}`,
    `https://www.figma.com/design/${key}/Home?version-id=1`,
    `https://www.figma.com/design/${key}/Home?node-id=1-2&node-id=3-4`,
    `https://www.figma.com/design/${key}/Home?node-id=<b>`,
    `https://www.figma.com/design/${key}/Home#12`,
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL1&index=2",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&v=aQw4w9WgXcQ",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=5#t=9",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=soon",
    "https://www.youtube.com/embed/dQw4w9WgXcQ?clip=x&clipt=y",
    "https://vimeo.com/76979871/abcdef0123?h=fedcba0123",
    "https://vimeo.com/76979871?ts=90000",
    `https://www.loom.com/share/${loom}?tab=transcript`,
    `https://docs.google.com/document/d/${id44}/edit#heading=h.x`,
    `https://docs.google.com/document/d/${id44}/edit/revisions/5`,
    `https://docs.google.com/spreadsheets/d/${id44}/edit?gid=1#gid=2`,
    `https://docs.google.com/spreadsheets/d/${id44}/edit#gid=1&range=A1`,
    `https://drive.google.com/file/d/${id44}/view?t=30`,
    "https://miro.com/app/board/o9J_l9_I58Q=/?focusWidget=1",
    "https://www.canva.com/design/DAFabcdefgh/abcDEFghiJKLmno/view#5",
  ])("%s", (address) => {
    expect(embedOf(address)).toBeNull();
  });
});

describe("links that are not embedded", () => {
  it.each([
    "https://example.com/design/nrPSsILSYjesyc5UHjYYa4",
    "http://www.figma.com/design/nrPSsILSYjesyc5UHjYYa4/Home",
    "https://www.figma.com.evil.example/design/nrPSsILSYjesyc5UHjYYa4/Home",
    "https://www.figma.com@evil.example/design/nrPSsILSYjesyc5UHjYYa4/Home",
    "https://user:pass@www.figma.com/design/nrPSsILSYjesyc5UHjYYa4/Home",
    "https://www.figma.com:8443/design/nrPSsILSYjesyc5UHjYYa4/Home",
    "https://www.figma.com/oauth?client_id=1",
    "https://www.figma.com/embed?url=https%3A%2F%2Fevil.example%2Ffile%2FnrPSsILSYjesyc5UHjYYa4",
    `https://www.figma.com/embed?url=${encodeURIComponent("https://www.figma.com/embed?url=x")}`,
    "https://www.youtube.com/redirect?q=https://evil.example",
    "https://docs.google.com/forms/d/e/1FAIpQLSf/viewform",
    "https://codepen.io/pen/?template=x",
    "javascript:alert(1)",
    "data:text/html,hi",
    "no address",
    "",
  ])("%s", (address) => {
    expect(embedOf(address)).toBeNull();
  });

  it("may have any path and query on a provider's host, but only the provider's origin is framed", () => {
    const hosts = providers.flatMap((provider) => provider.hosts);
    fc.assert(
      fc.property(fc.constantFrom(...hosts), fc.webPath(), fc.webQueryParameters(), (host, path, query) => {
        const embed = embedOf(`https://${host}${path}?${query}`);
        return embed === null || providers.some(({ origin }) => new URL(embed.src).origin === origin);
      }),
    );
  });
});
