import { Context, Effect, Layer } from "effect"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { Store } from "../../../core/ports/Store.ts"
import {
  beforeCommitContract,
  type HookedStore,
} from "../../../apps/payport/testing/beforeCommitContract.ts"
import { runContract } from "../../support/runContract.ts"

let rows: Array<string> = []

const host: HookedStore = {
  open: (hook) => {
    rows = []
    const run = MemoryStore.hooked({
      ...hook,
      run: (change, { onStored }) =>
        hook.run(change, async (text) => onStored(() => void rows.push(text))),
    })
    return Effect.map(Layer.build(run), (context) => Context.get(context, Store))
  },
  rows: Effect.sync(() => rows),
}

runContract("memory", beforeCommitContract(host))
