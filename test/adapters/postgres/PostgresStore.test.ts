import { documentsContract } from "../../contract/documents.ts"
import { storeContract } from "../../contract/store.ts"
import { makeFaultyStore } from "../../support/faultyPostgres.ts"
import { makeTestStore } from "../../support/postgres.ts"

storeContract("PostgreSQL", makeTestStore, makeFaultyStore)
documentsContract("PostgreSQL", makeTestStore)
