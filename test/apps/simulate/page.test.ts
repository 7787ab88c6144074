import { createHash } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Totals } from "../../../apps/simulate/batch/Totals.ts"
import { clockOf, sequenceDiagram } from "../../../apps/simulate/page/sequence.ts"
import { page } from "../../../apps/simulate/page/page.ts"
import type { Line } from "../../../simulator/live/Line.ts"
import { mixed } from "../../../simulator/scenarios/library.ts"
import { failingRun, type FailingRun } from "../../support/failingRun.ts"

const line = (kind: Line["kind"], text: string, at_ms = 0): Line => ({
  n: 1,
  at_ms,
  kind,
  text,
  payments: [],
})

describe("a sequence diagram", () => {
  test("has a row for each line, with an arrow where something passes", () => {
    const svg = sequenceDiagram([line("answer", "POST <x>"), line("violation", "broke & fell")])
    expect(svg?.match(/<g class="answer">.*?<\/g>/)?.[0]).toMatch(/<line .*<polygon .*POST &lt;x>?/)
    expect(svg?.match(/<g class="violation">.*?<\/g>/)?.[0]).toMatch(/<rect .*broke &amp; fell/)
    expect(svg).not.toMatch(/style=|<x>/)
  })

  test("shows the end of a long story, and whole lines when they are pointed at", () => {
    const lines = Array.from({ length: 200 }, (_, n) => line("work", `${n} ${"x".repeat(120)}`))
    const svg = sequenceDiagram(lines) ?? ""
    expect(svg.match(/<g /g)).toHaveLength(120)
    expect(svg).toContain(`<title>199 ${"x".repeat(120)}</title>`)
    expect(svg).toContain("x…</text>")
    expect(sequenceDiagram([])).toBeUndefined()
  })

  test.each([
    [0, "00:00:00.000"],
    [3_723_004, "01:02:03.004"],
    [2 * 86_400_000 + 1, "2 d 00:00:00.001"],
  ])("%d ms are %s", (millis, text) => {
    expect(clockOf(millis)).toBe(text)
  })
})

describe("the page of a run that failed", () => {
  let run: FailingRun
  let html: string
  let folder: string
  afterAll(() => rm(folder, { recursive: true, force: true }))
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "payport-page-"))
    run = failingRun(folder)
    html = page(run.totals, { ...mixed, name: "<b>sale</b>" }, 1_000, run.shown)
  })

  test("loads nothing, runs nothing, and has the style that its policy allows", () => {
    const [, policy = ""] = /Content-Security-Policy" content="([^"]+)"/.exec(html) ?? []
    const [, style = ""] = /<style>(.*?)<\/style>/s.exec(html) ?? []
    const hash = createHash("sha256").update(style).digest("base64")
    expect(policy).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    )
    expect(html).not.toMatch(/<script|<link|<img| style="| src=| on[a-z]+="/)
    expect([...html.matchAll(/href="(\w+:)/g)].map(([, scheme]) => scheme)).toEqual(["data:"])
    expect(html).toContain("&lt;b&gt;sale&lt;/b&gt;")
  })

  test("begins with the world that failed: its story, its diagram, its file, how to see it", () => {
    const { reduced } = run
    expect(html.indexOf("<h2>What broke")).toBeLessThan(html.indexOf("<h2>Invariants"))
    expect(html.indexOf("<h2>Invariants")).toBeLessThan(html.indexOf("<h2>Worlds"))
    expect(html).toContain(`<details class="failing" open><summary>Seed 3</summary>`)
    expect(html).toContain("payport simulate replay")
    expect(reduced.shrunk).toMatchObject({ why: "each_is_needed", needed: [{ kind: "payment" }] })
    expect(html).toMatch(/Reduced to one payment and no fault in \d+ tries\. It gets no smaller/)
    expect(reduced.text).toContain(JSON.stringify(reduced.told[0]))
    expect(html).toContain("payport simulate --scenario mixed --seed 3 --intents 2")
    expect(reduced.lines.at(-1)).toMatchObject({ kind: "violation" })
    expect(html.match(/<g class="violation">/g)).toHaveLength(1)
    const [, data = ""] = /base64,([^"]+)"/.exec(html) ?? []
    expect(Buffer.from(data, "base64").toString()).toBe(reduced.text)
  })

  test("lists every world, those that failed first", () => {
    const rows = html.slice(html.indexOf("<h2>Worlds")).match(/<tr.*?<\/tr>/g) ?? []
    expect(rows.map((row) => /<td class="n">(\d+)/.exec(row)?.[1])).toEqual([
      undefined,
      "3",
      "9",
      "1",
    ])
    expect(rows[2]).toContain("given up")
  })

  test("of a sound run has nothing of it", () => {
    const sound = new Totals("mixed")
    sound.add(run.sound, 5)
    const text = page(sound, mixed, 1, { again: run.shown.again })
    expect(text).toContain("Every invariant held")
    expect(text).not.toMatch(/What broke|href=/)
  })
})
