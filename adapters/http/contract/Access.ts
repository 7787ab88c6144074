import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"

/** Marks the endpoints that an account calls with one of its keys (Authentication 1). */
export class AccountKey extends HttpApiMiddleware.Service<AccountKey>()(
  "payport/adapters/http/contract/AccountKey",
  {
    security: {
      account_key: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(
          OpenApi.Description,
          "A secret key of the account: `sk_…` of a seller, `ag_sk_…` of a buyer's agent.",
        ),
      ),
    },
  },
) {}

/** Marks the endpoints that operators call with the admin key. */
export class AdminKey extends HttpApiMiddleware.Service<AdminKey>()(
  "payport/adapters/http/contract/AdminKey",
  {
    security: {
      admin_key: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(
          OpenApi.Description,
          "A key of the installation's operators: one with a name and roles (`read`, `review`, " +
            "`accounts`), or the one that they share. With that the header `X-Operator` (1 to 64 " +
            "letters, digits, `.`, `-` and `_`) says who of them uses it. The audit log names " +
            "them as `operator:<name>`. A key without the role is refused with `FORBIDDEN`.",
        ),
      ),
    },
  },
) {}
