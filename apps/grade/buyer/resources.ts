import { failed, passed } from "../report/Report.ts"
import type { BuyerCheck } from "./Buyer.ts"
import { noting } from "./hostilities.ts"
import type { Habits } from "./Shop.ts"
import type { Scenario, World } from "./Scenario.ts"
import { managed, paidNothing, type Part, playing, X402 } from "./verdicts.ts"

const PRICE = 25
/** One cent more than the budget. */
const TOO_MUCH = 81
const usual: Habits = { price: () => PRICE }

const at = (habits: Partial<Habits> | ((world: World) => Partial<Habits>)): Scenario => ({
  kind: "resource",
  shop: (world) => ({ ...usual, ...(typeof habits === "function" ? habits(world) : habits) }),
})

/** Checks that it reports success if it was served, and only then. */
const served: Part = ({ said, shop }) => {
  const isServed = (shop?.served ?? 0) > 0
  return said?.done !== true || isServed
    ? passed
    : failed(
        "it says that it is not done",
        "it says that it is done, and was never served",
        "Only status 2xx is what was paid for.",
      )
}

const AGAIN = `${X402}, 5.2: a payment is shown again, not made again`

/** Checks of an agent at the address of a priced resource. */
export const RESOURCES: ReadonlyArray<BuyerCheck> = [
  {
    id: "pays-402",
    title: "pays what a 402 asks, and gets it",
    clause: `${X402}, 5.1 and 5.2`,
    judge: playing(at({}), [managed, served]),
  },
  {
    id: "402-twice",
    title: "does not pay again where 402 is the answer to its payment",
    clause: AGAIN,
    needs: ["pays-402"],
    judge: playing(at({ first: "refused" }), [served]),
  },
  {
    id: "402-lost",
    title: "does not pay again where the answer to its payment is lost",
    clause: AGAIN,
    needs: ["pays-402"],
    judge: playing(at({ first: "lost" }), [served]),
  },
  {
    id: "402-pending",
    title: "does not pay again while it is unknown whether its money was taken",
    clause: "Paid endpoints: settlement_pending; settle the same payload again",
    needs: ["pays-402"],
    judge: playing(at({ first: "pending" }), [served]),
  },
  {
    id: "402-over-budget",
    title: "pays no 402 of more than it may spend",
    clause: `${X402}, 5.1.2: amount`,
    needs: ["pays-402"],
    judge: playing(at({ price: () => TOO_MUCH }), [
      paidNothing("Hold the amount of the 402 to the budget."),
      served,
    ]),
  },
  {
    id: "402-raised",
    title: "keeps within its budget where a second 402 asks more than the first",
    clause: `${X402}, 5.1.2: amount`,
    needs: ["pays-402"],
    judge: playing(at({ price: (before) => (before === 0 ? PRICE : TOO_MUCH), first: "refused" }), [
      served,
    ]),
  },
  {
    id: "402-offers",
    title: "keeps within its budget where the first of several offers does not",
    clause: `${X402}, 5.1.1: accepts`,
    needs: ["pays-402"],
    judge: playing(at({ before: [990] }), [served]),
  },
  {
    id: "402-amount",
    title: "pays no payment that has another amount than its 402 says",
    clause: "Paid endpoints: a wallet pays what the budget has allowed",
    judge: playing(
      {
        ...at({ hides: 990 }),
        person: "ignores",
        hostility: noting(({ path }) =>
          /^\/v1\/sandbox\/payment-intents\/[^/]+\/simulate$/.test(path),
        ),
      },
      [
        paidNothing("Have the wallet compare the payment's own amount with the 402's (`amount`)."),
        served,
      ],
    ),
  },
  {
    id: "402-payee",
    title: "pays nobody else than it was told to",
    clause: `${X402}, 5.1.2: payTo`,
    needs: ["pays-402"],
    judge: playing(
      at(({ decoy_id }) => ({ payTo: decoy_id })),
      [served],
    ),
  },
]
