import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { backUp } from "../../src/core/operator/back-up.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import { servicesOf } from "../../src/services.ts";
import { callAdmin } from "../support/admin.ts";
import { sql } from "../support/filled-workspace.ts";
import { makeWholeWorkspace } from "../support/whole-workspace.ts";

const today = new Date().toISOString().slice(0, 10);

beforeEach(async () => {
  await sql("DELETE FROM backups");
  const { objects } = await env.BACKUPS.list();
  await env.BACKUPS.delete(objects.map(({ key }) => key));
});

/** A locked bucket, which does not overwrite objects. `onPut` runs after each put. */
function locked(onPut: (puts: number, key: string) => void = () => {}): R2Bucket {
  let puts = 0;
  return new Proxy(env.BACKUPS, {
    get: (bucket, name) => {
      if (name !== "put") return Reflect.get(bucket, name).bind(bucket);
      return async (key: string, ...rest: [never]) => {
        if (await bucket.head(key)) throw new Error(`${key} is locked`);
        await bucket.put(key, ...rest);
        puts += 1;
        onPut(puts, key);
      };
    },
  });
}

const night = (backups = locked(), backupHour: number | null = 0) =>
  backUp({ ...servicesOf(env), backups, backupHour });

/** Runs the cron until the backup is complete, which takes several runs on a busy machine. */
async function wholeNight(backups = locked()): Promise<void> {
  while ((await state())?.finished_at == null) await night(backups);
}

const state = async () =>
  (await sql<{ pages: number; finished_at: string | null }>("SELECT * FROM backups"))[0] ?? null;

/** The SQL file that `npm run admin -- export-backup` writes. */
async function exported(): Promise<string> {
  let file = "";
  for (let position: string | null | undefined; position !== null; ) {
    const step = await callAdmin("export-backup", { day: today, ...(position && { position }) });
    if (!step.ok) throw new Error(step.message);
    const { files, next } = step.result as { files: { text: string }[]; next: string | null };
    for (const { text } of files) file += text;
    position = next;
  }
  return file;
}

const schema = `SELECT type, name, tbl_name, sql FROM sqlite_schema
  WHERE name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' ORDER BY type, name`;

async function madeBy(file: string): Promise<Record<string, unknown>> {
  const stub = env.ORGANIZATION_COORDINATOR.getByName(crypto.randomUUID());
  return runInDurableObject(stub, async (_, { storage }) => {
    const own =
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'";
    for (const { name } of storage.sql.exec<{ name: string }>(own).toArray())
      storage.sql.exec(`DROP TABLE ${name}`);
    for (const statement of file.split(/(?<=;\n)(?=CREATE |INSERT )/)) storage.sql.exec(statement);
    const made = storage.sql.exec<{ type: string; name: string }>(schema).toArray();
    const tables = made.filter(({ type }) => type === "table");
    const rows = tables.map(({ name }) => [name, storage.sql.exec(`SELECT * FROM ${name}`).toArray()]);
    return { schema: made, ...Object.fromEntries(rows) };
  });
}

async function held(): Promise<Record<string, unknown>> {
  const made = await sql<{ type: string; name: string }>(schema);
  const rows: Record<string, unknown> = {};
  for (const { type, name } of made) if (type === "table") rows[name] = await sql(`SELECT * FROM ${name}`);
  return { schema: made, ...rows };
}

describe("the nightly backup", () => {
  it("restores every row, index, view and trigger [B5]", async () => {
    const { organizationId } = await makeWholeWorkspace();
    await sql(
      `INSERT INTO clients (id, organization_id, client_name)
       SELECT 'client-' || value, ?, 'It''s ' || value || char(10) || ' -- ;' FROM json_each(?)`,
      organizationId,
      JSON.stringify(Array.from({ length: 4_100 }, (_, index) => index)),
    );
    await night();
    const [before, after] = [await held(), await madeBy(await exported())];
    expect(await state()).toMatchObject({ finished_at: expect.any(String) });
    expect(Object.keys(before).length).toBeGreaterThan(30);
    delete before.backups;
    delete after.backups;
    expect(after).toEqual(before);
  });

  it("continues after a crashed run, without writing a page twice [B5]", async () => {
    await makeWholeWorkspace();
    const dying = locked((puts) => {
      if (puts === 5) throw new Error("died");
    });
    await expect(night(dying)).rejects.toThrow("died");
    expect(await state()).toMatchObject({ pages: 4, finished_at: null });
    await night();
    const { pages } = (await state()) ?? { pages: 0 };
    const { objects } = await env.BACKUPS.list({ prefix: `${today}/0` });
    expect(objects).toHaveLength(pages);
    const after = await madeBy(await exported());
    expect(after.schema).toEqual((await held()).schema);
  });

  it("is made once a day, from the configured hour on and by one run at a time", async () => {
    await night(locked(), null);
    await night(locked(), 24);
    expect(await state()).toBeNull();
    let puts = 0;
    const counting = () =>
      locked((_, key) => {
        // The image bucket also contains images from other tests.
        if (!key.includes("images/")) puts += 1;
      });
    await Promise.all([night(counting()), night(counting())]);
    await night(counting());
    // The pages and the final object.
    expect([puts, (await state())?.finished_at]).toEqual([
      ((await state())?.pages ?? 0) + 1,
      expect.any(String),
    ]);
  });

  it("is continued by another run once a crashed run's five-minute lease has ended", async () => {
    await sql("INSERT INTO backups (day) VALUES (date('now'))");
    const leasedFor = (minutes: number) =>
      sql("UPDATE backups SET leased_until = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?)", `${minutes} minutes`);
    await leasedFor(1);
    await night();
    expect(await state()).toMatchObject({ pages: 0, finished_at: null });
    await leasedFor(-1);
    await night();
    expect(await state()).toMatchObject({ finished_at: expect.any(String) });
  });

  describe("images in the backup", () => {
    const path = (name: string) => `organizations/studio/images/${name}.png`;
    const store = (...names: string[]) =>
      Promise.all(
        names.map((name) =>
          env.IMAGES.put(path(name), name, {
            sha256: sha256Hex(name),
            httpMetadata: { contentType: "image/png" },
          }),
        ),
      );
    const copies = async () =>
      (await env.BACKUPS.list({ prefix: "images/" })).objects.map(({ key }) => key.slice("images/".length));
    const listed = async (day = today) => {
      const { objects } = await env.BACKUPS.list({ prefix: `${day}/images/` });
      const texts = objects.map(async ({ key }) => {
        const packed = (await env.BACKUPS.get(key))?.body.pipeThrough(new DecompressionStream("gzip"));
        return new Response(packed).text();
      });
      return (await Promise.all(texts))
        .join("")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line));
    };
    /** Backdates the backups by this many days, and deletes old ones like the bucket's lifecycle rule. */
    const daysPass = async (days: number) => {
      await sql("DELETE FROM backups");
      await sql("UPDATE erased_images SET day = date(day, ?)", `-${days} days`);
      const { objects } = await env.BACKUPS.list({ prefix: today });
      await env.BACKUPS.delete(objects.map(({ key }) => key));
    };
    beforeEach(async () => {
      await sql("DELETE FROM erased_images");
      const { objects } = await env.IMAGES.list();
      await env.IMAGES.delete(objects.map(({ key }) => key));
    });

    it("are copied only once and listed by every backup [B5]", async () => {
      await store("first", "second");
      await env.IMAGES.put("erasures/studio/", "");
      await wholeNight();
      const first = await env.BACKUPS.get(`images/${path("first")}`);
      expect(await first?.text()).toBe("first");
      expect(first?.httpMetadata?.contentType).toBe("image/png");
      await daysPass(1);
      await store("third");
      const puts: string[] = [];
      const counting = new Proxy(locked(), {
        get: (bucket, name) =>
          name === "put"
            ? (key: string, ...rest: [never]) => {
                puts.push(key);
                return bucket.put(key, ...rest);
              }
            : Reflect.get(bucket, name),
      });
      await wholeNight(counting);
      expect(puts.filter((key) => key.startsWith("images/"))).toEqual([`images/${path("third")}`]);
      const all = [path("first"), path("second"), path("third")];
      expect(await copies()).toEqual(["erasures/studio/", ...all]);
      expect((await listed()).map((line) => line.path)).toEqual(["erasures/studio/", ...all]);
      expect((await listed())[1]).toEqual({
        path: path("first"),
        bytes: 5,
        sha256: sha256Hex("first"),
        content_type: "image/png",
      });
    });

    it("are deleted with the last backup that lists them [B5]", async () => {
      await store("erased", "back", "kept");
      await wholeNight();
      await env.IMAGES.delete([path("erased"), path("back")]);
      for (const [days, left] of [
        [1, ["back", "erased", "kept"]],
        [30, ["back", "erased", "kept"]],
      ] as const) {
        await daysPass(days);
        if (days === 30) await store("back");
        await wholeNight();
        expect(await copies()).toEqual(left.map(path));
      }
      await daysPass(1);
      await wholeNight();
      expect(await copies()).toEqual(["back", "kept"].map(path));
      expect(await sql("SELECT * FROM erased_images")).toEqual([]);
      expect(await state()).toMatchObject({ finished_at: expect.any(String) });
    });

    it("are all copied and listed after a crashed run", async () => {
      const names = Array.from({ length: 250 }, (_, index) => `image-${String(index).padStart(4, "0")}`);
      await store(...names);
      let puts = 0;
      const dying = locked(() => {
        puts += 1;
        if (puts === 200) throw new Error("died");
      });
      await expect(night(dying)).rejects.toThrow("died");
      await wholeNight();
      expect(await copies()).toEqual(names.map(path));
      expect((await listed()).map((line) => line.path)).toEqual(names.map(path));
      expect(await sql("SELECT * FROM erased_images")).toEqual([]);
    });

    it("do not block the backup if their deletion fails", async () => {
      vi.spyOn(console, "error").mockImplementation(() => {});
      await sql("INSERT INTO erased_images (path, day) VALUES ('x', '2020-01-01')");
      const refusing = new Proxy(locked(), {
        get: (bucket, name) =>
          name === "delete"
            ? async () => {
                throw new Error("locked");
              }
            : Reflect.get(bucket, name),
      });
      await wholeNight(refusing);
      expect(await state()).toMatchObject({ finished_at: expect.any(String) });
      expect(await sql("SELECT path FROM erased_images")).toEqual([{ path: "x" }]);
    });
  });

  it("cannot be exported while it is missing or incomplete", async () => {
    const refused = { ok: false, message: `There is no complete backup of ${today}` };
    expect(await callAdmin("export-backup", { day: today })).toMatchObject(refused);
    const dying = locked(() => {
      throw new Error("died");
    });
    await expect(night(dying)).rejects.toThrow("died");
    expect(await callAdmin("export-backup", { day: today })).toMatchObject(refused);
  });
});
