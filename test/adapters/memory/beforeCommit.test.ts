import { Context, Effect, Layer } from "effect"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { Store } from "../../../core/ports/Store.ts"
import { describeHooks } from "../../contract/beforeCommit.ts"

let rows: Array<string> = []

describeHooks({
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
})
