import { Effect } from "effect"
import { calculators } from "../../simulator/parts/calculators.ts"
import { codeAskers } from "../../simulator/parts/codeAskers.ts"
import { contraryCallers } from "../../simulator/parts/contraryCallers.ts"
import { levelAskers } from "../../simulator/parts/levelAskers.ts"
import { ownWorkers } from "../../simulator/parts/ownWorkers.ts"
import { recordReaders } from "../../simulator/parts/recordReaders.ts"
import { secretKeepers } from "../../simulator/parts/secretKeepers.ts"
import { wordings } from "../../simulator/parts/wordings.ts"
import { changing, changingList } from "../support/finding.ts"
import type { Flaw } from "./flaw.ts"

/** Flaws of lists and views, of words and sums, and of what secrets are sealed with. */
export const shownFlaws: ReadonlyArray<Flaw> = [
  {
    name: "a list of events leaves out the oldest one",
    noticed_by: [147],
    parts: [recordReaders.name],
    alterations: {
      store: (store) => ({
        ...store,
        list: changingList(store, "event", (all) => (all.length < 2 ? all : all.slice(0, -1))),
      }),
    },
  },
  {
    name: "a delivery is shown with another address",
    noticed_by: [147],
    parts: [recordReaders.name],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "delivery", (delivery) =>
          delivery.due_at === null ? { ...delivery, url: `${delivery.url}/old` } : delivery,
        ),
      }),
    },
  },
  {
    name: "a balance leaves out a currency",
    noticed_by: [147],
    parts: [recordReaders.name],
    alterations: {
      store: (store) => ({
        ...store,
        listBalances: (account) =>
          Effect.map(store.listBalances(account), (sums) =>
            sums.filter(({ currency }) => currency !== "USD"),
          ),
      }),
    },
  },
  {
    name: "the last digit of a number in a text is not heard",
    noticed_by: [148],
    parts: [wordings.name],
    alterations: { hears: (text) => text.replace(/(?<=\d)\d(?=\D*$)/, "") },
  },
  {
    name: "it is not heard when an order is to be carried out",
    noticed_by: [148],
    parts: [wordings.name],
    alterations: { hears: (text) => text.replace(/ tomorrow$|^twice /, "") },
  },
  {
    name: "a seven is read as a one",
    noticed_by: [149],
    parts: [calculators.name],
    alterations: { hears: (text) => text.replaceAll("7", "1") },
  },
  {
    name: "a secret loses its first character whenever it is sealed",
    noticed_by: [150],
    parts: [secretKeepers.name],
    alterations: {
      vault: (vault) => ({ ...vault, seal: (place, text) => vault.seal(place, text.slice(1)) }),
    },
  },
  {
    name: "whoever has created a payment that expired counts as its payee",
    noticed_by: [151],
    parts: [contraryCallers.name],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "payment_intent", (record) =>
          record.status === "expired" ? { ...record, payee_account_id: record.account_id } : record,
        ),
      }),
    },
  },
  {
    name: "the codes of ended payments lead to another channel",
    noticed_by: [154],
    parts: [codeAskers.name],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "payment_intent", (payment) => ({
          ...payment,
          offers: payment.offers.map((offer) => ({ ...offer, qr_data: `${offer.qr_data}_2` })),
        })),
      }),
    },
  },
  {
    name: "whoever asks what may be paid counts as anonymous",
    noticed_by: [155],
    parts: [levelAskers.name],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "agent", (agent) => ({ ...agent, level: "anonymous", verified: [] })),
      }),
    },
  },
  {
    name: "a worker's clock is five seconds ahead",
    noticed_by: [156],
    parts: [ownWorkers.name],
    alterations: {
      clock: (clock) => ({
        ...clock,
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + 5_000,
        currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + 5_000),
      }),
    },
  },
  {
    name: "whoever reads a payment is not shown what it pays for",
    noticed_by: [157],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "payment_intent", (payment) => ({ ...payment, description: "" })),
      }),
    },
  },
]
