import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { actionOf, openShop, said, shop, written } from "./spoken/shop.ts"
import { neverOf, type Utterance, utterancesOf } from "./spoken/utterances.ts"

const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(1)}%`

const tell = (line: string) => process.stdout.write(`${line}\n`)

/** Compares the readings of labelled texts, and counts the right ones. */
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

/** Returns those texts of a file that lead to an action, with the action. */
const actedOn = Effect.fnUntraced(function* (file: string) {
  const acted: Array<string> = []
  for (const [why, text] of neverOf(file)) {
    const { action } = yield* said(text)
    if (action !== null) acted.push(`${why}: ${text}: ${written(action)}`)
  }
  return acted
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

it.effect("what was kept from the grammar is understood nearly as well", () =>
  Effect.gen(function* () {
    yield* openShop
    const all = utterancesOf("heldOut/orders.txt")
    const { misread, orders, undone, wrong } = yield* judge(all)
    const acted = yield* actedOn("heldOut/never.txt")
    tell(
      `${all.length} texts kept aside: ` +
        `intent ${percent(all.length - misread.length, all.length)}, ` +
        `${wrong.length} wrong actions, ${percent(orders - undone.length, orders)} of ` +
        `${orders} orders made ready; ${acted.length} of ${neverOf("heldOut/never.txt").length} ` +
        "that must not act do",
    )
    // The misread texts are not printed, so that no rules are written for them.
    expect(wrong).toEqual([])
    expect(acted).toEqual([])
    expect(misread.length / all.length).toBeLessThanOrEqual(0.05)
  }).pipe(Effect.provide(shop)),
)

it.effect("nothing is done of what must not be", () =>
  Effect.gen(function* () {
    yield* openShop
    const texts = neverOf("never.txt")
    const acted = yield* actedOn("never.txt")
    tell(`${texts.length} texts that must not act: ${acted.length} do`)
    expect(texts.length).toBeGreaterThanOrEqual(200)
    expect(acted).toEqual([])
  }).pipe(Effect.provide(shop)),
)
