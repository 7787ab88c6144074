import { Effect, Layer } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"
import { Postgres } from "../chaos/Postgres.ts"
import { pair } from "../chaos/standby.ts"
import { prepareFolder } from "./preparedFolder.ts"

/** A primary with the schema, and a standby that follows it by streaming replication. */
export interface StreamingPair {
  readonly primary: Postgres
  readonly standby: Postgres
  readonly close: () => Promise<void>
}

/** Makes a pair in its own folder, which is removed with it. */
export const makeStreamingPair = async (): Promise<StreamingPair> => {
  const root = await mkdtemp(join(tmpdir(), "payport-replicas-"))
  const primary = new Postgres(join(root, "primary"))
  const standby = new Postgres(join(root, "standby"))
  prepareFolder(primary.folder)
  await primary.start()
  await Effect.runPromise(Effect.scoped(Layer.build(PostgresStore.layer(primary.connection))))
  await primary.stop()
  await pair({ options: { asynchronous: true } }, primary, standby)
  const close = async () => {
    await standby.stop()
    await primary.stop()
    await rm(root, { recursive: true, force: true, maxRetries: 20 })
  }
  return { primary, standby, close }
}
