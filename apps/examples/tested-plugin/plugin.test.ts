import { testWorlds } from "payport/vitest"

testWorlds("our store", { seeds: 3, intents: 8, alterations: { store: (store) => ({ ...store }) } })
