import { Effect } from "effect"
import { withNames } from "../../core/webhooks/consumers/ConsumerList.ts"
import { hearing, listeningRules } from "../auditor/invariants/listening.ts"
import { HOST_CONSUMERS } from "../ports/hosts.ts"
import type { Part } from "../world/Stage.ts"

/** Hosts with the service in their processes, which receive every event. */
export const listeningHosts: Part = {
  name: "listening hosts",
  isAsked: true,
  rules: listeningRules,
  knowledge: [hearing],
  prepare: ({ auditor, stage, store }) => {
    auditor.see("listening", "hosts", { consumers: HOST_CONSUMERS })
    const record = withNames(undefined, HOST_CONSUMERS, stage.now())
    return record === undefined
      ? Effect.void
      : Effect.orDie(store.commit({ writes: [{ op: "insert", kind: "consumer_list", record }] }))
  },
}
