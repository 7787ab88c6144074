import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { actionOf, openShop, said, shop, written } from "./spoken/shop.ts"
import { neverOf, type Utterance, utterancesOf } from "./spoken/utterances.ts"

const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(1)}%`

const tell = (line: string) => process.stdout.write(`${line}\n`)

/** What is made of labelled texts: how often rightly, and where not. */
const judge = Effect.fnUntraced(function* (utterances: ReadonlyArray<Utterance>) {
  const misread: Array<string> = []
  const wrong: Array<string> = []
  const undone: Array<string> = []
  for (const utterance of utterances) {
    const { action, view } = yield* said(utterance.text)
    const wanted = utterance.act === "do" ? actionOf(utterance) : null
    if (view.intent !== utterance.intent) {
      misread.push(`${utterance.text}: ${view.intent}, not ${utterance.intent}`)
    }
    if (action !== null && written(action) !== written(wanted)) {
      wrong.push(`${utterance.text}: ${written(action)}`)
    }
    if (action === null && wanted !== null) {
      undone.push(`${utterance.text}: ${view.clarification ?? ""}`)
    }
  }
  return { misread, wrong, undone, orders: utterances.filter(({ act }) => act === "do").length }
})

it.effect("what is asked for is understood, and done only as it was said", () =>
  Effect.gen(function* () {
    yield* openShop
    const all = [...utterancesOf("english.txt"), ...utterancesOf("chinese.txt")]
    const { misread, orders, undone, wrong } = yield* judge(all)
    tell(
      `${all.length} texts: intent ${percent(all.length - misread.length, all.length)}, ` +
        `${wrong.length} wrong actions, ${percent(orders - undone.length, orders)} of ` +
        `${orders} orders made ready`,
    )
    expect(all).toHaveLength(400)
    expect(wrong).toEqual([])
    expect(misread.length / all.length, misread.join("\n")).toBeLessThanOrEqual(0.03)
    expect(undone.length / orders, undone.join("\n")).toBeLessThanOrEqual(0.03)
  }).pipe(Effect.provide(shop)),
)

it.effect("nothing is done of what must not be", () =>
  Effect.gen(function* () {
    yield* openShop
    const acted: Array<string> = []
    const texts = neverOf("never.txt")
    for (const [why, text] of texts) {
      const { action } = yield* said(text)
      if (action !== null) acted.push(`${why}: ${text}: ${written(action)}`)
    }
    tell(`${texts.length} texts that must not act: ${acted.length} do`)
    expect(texts.length).toBeGreaterThanOrEqual(200)
    expect(acted).toEqual([])
  }).pipe(Effect.provide(shop)),
)
