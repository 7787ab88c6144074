import { after, describe, test } from "node:test"
import { storeIn } from "payport/ports"
import { storeContracts, testContracts } from "payport/testing"
import { openEntries } from "./entries.ts"

const sqlite = storeIn(() => openEntries(":memory:"))

testContracts(storeContracts(sqlite), { describe, test, after })
