/** The entry of `payport/pages`: the pages for payers, served with the HTTP API. */
export { pages } from "./pagesBeside.ts"
