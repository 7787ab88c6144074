import { Effect } from "effect"
import { readNextMasterKey } from "./masterKeySettings.ts"
import type { Output } from "./Output.ts"
import { rotation } from "./rotateMasterKey.ts"
import { openMasterKey, openSecrets } from "./secrets.ts"
import { database } from "./services.ts"
import { readSettings } from "./settings.ts"
import { StartFailure } from "./StartFailure.ts"

/** Rotates the master key of the settings' database to that of the settings. */
export const rotateBySettings = Effect.fnUntraced(function* (finish: boolean, output: Output) {
  const settings = yield* readSettings
  const place = yield* readNextMasterKey
  if (place === undefined && !finish) {
    return yield* new StartFailure({
      message: "PAYPORT_NEXT_MASTER_KEY has to be set to the key that replaces the old one.",
    })
  }
  const replacing = place === undefined ? undefined : yield* openMasterKey(place)
  const { master_key: old } = yield* openSecrets(settings)
  const next = replacing ?? old
  yield* rotation(database(settings), { old, next }, finish, output)
})
