import { openShop, refund } from "../shop.ts"
import { type Arena, captured, inBooks, meet, type Target, tally, unless } from "./Target.ts"

const PART = 300

/** Refunds of one payment of 699: only so many are taken on, and the channel did as many. */
const refunds = (name: string, shopName: string, most: number, value?: number): Target => ({
  name,
  open: async (arena: Arena) => {
    const shop = await openShop(arena.services[0], arena.endpoint, shopName)
    const ids: Array<string> = []
    const taken: Array<number> = []
    return {
      round: async (round) => {
        const id = await captured(arena, shop, `given back in round ${round}`)
        const answers = await meet(arena, () => ["seller", refund(id, value)])
        const made = answers.filter(({ status }) => status === 201).length
        const refused = answers.filter(({ status }) => status === 409).length
        ids.push(id)
        taken.push(made)
        const exact = made === most && made + refused === answers.length
        return unless(exact, `${most} should have been taken on`, tally(answers))
      },
      // A channel makes a promised refund later, so the rounds do not wait for it.
      end: () =>
        inBooks(arena, ids, (done, round) =>
          unless(done["refund"] === taken[round], "the channel gave back another number", done),
        ),
    }
  },
})

export const fullRefunds = refunds("full refunds", "Given back", 1)
export const partialRefunds = refunds("partial refunds", "Given back in parts", 2, PART)
