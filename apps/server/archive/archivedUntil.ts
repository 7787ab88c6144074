import { Effect, Layer } from "effect"
import { ArchiveFolder } from "../../../adapters/archive/ArchiveFolder.ts"
import { type ArchivedKind, ArchivedUntil } from "../../../core/ports/ArchivedUntil.ts"

/** The names of the kinds' tables in the archive. */
const TABLES: { readonly [K in ArchivedKind]: string } = {
  event: "events",
  delivery: "deliveries",
  channel_request: "channel_requests",
  callback: "callbacks",
}

/** For how long a look at the folder serves: a sweep asks before every step. */
const SERVES = "1 minute"

/** Keeps records that are not in the archive, and all of them while its folder cannot be read. */
export const archivedUntil = (path: string | undefined): Layer.Layer<never> => {
  if (path === undefined) return Layer.empty
  const folder = new ArchiveFolder(path)
  const look = (kind: ArchivedKind) =>
    Effect.cachedWithTTL(
      Effect.catch(folder.until(TABLES[kind]), (error) =>
        Effect.as(Effect.logWarning("The archive cannot be read.", error), -Infinity),
      ),
      SERVES,
    )
  return Layer.effect(
    ArchivedUntil,
    Effect.map(
      Effect.all({
        event: look("event"),
        delivery: look("delivery"),
        channel_request: look("channel_request"),
        callback: look("callback"),
      }),
      (looks) => (kind: ArchivedKind) => looks[kind],
    ),
  )
}
