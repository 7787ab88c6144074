import { rateLeasesContract } from "../../contract/rateLeases.ts"
import { makeTestStore } from "../../support/postgres.ts"

rateLeasesContract("PostgreSQL", makeTestStore)
