import { type Flaw, storing, withIntents } from "./flaw.ts"

/** Flaws in the choice of the limits that a payment uses: each breaks one rule. */
export const consentFlaws: ReadonlyArray<Flaw> = [
  {
    name: "whoever is named pays, whether it has agreed to that or not",
    noticed_by: [88],
    alterations: {
      store: (store) => {
        const known = new Map<string, string>()
        return {
          ...store,
          commit: (commit) => {
            for (const { kind, record } of commit.writes) {
              if (kind === "account") known.set(record.agent_id, record.id)
            }
            return store.commit(
              withIntents(commit, (write) => {
                const { payer, payer_account_id } = write.record
                const owner = known.get(payer.agent_id ?? "")
                if (payer_account_id !== null || owner === undefined) return write
                return { ...write, record: { ...write.record, payer_account_id: owner } }
              }),
            )
          },
        }
      },
    },
  },
  {
    name: "nobody adds up what a payee is paid by nobody in particular",
    noticed_by: [89],
    alterations: storing((commit) => ({
      ...commit,
      reservations: (commit.reservations ?? []).filter(
        ({ counter }) => !counter.startsWith("kyc_day:payee:"),
      ),
    })),
  },
]
