import { pageConfig } from '../lib/config.ts'
import { textsOf } from '../lib/i18n/catalogues.ts'
import { pickLocale } from '../lib/i18n/pick.ts'
import { callEarly } from '../lib/preloaded-calls.ts'
import { IN_ROWS } from '../lib/rows.ts'
import { readToken, storedLocale } from '../lib/stored-token.ts'

/*
 * Runs before the application has arrived, and asks at once for what that would ask for one after the other: the texts, a
 * fresh token, the folder of the address. Whoever wants it then finds it on its way.
 */

const FOLDER = /^\/files(?=\/).*\/$/

const token = readToken()
if (token && pageConfig.LoginPage) {
  callEarly('/api/renew', token, { method: 'POST' })
  const address = location.pathname.slice(pageConfig.BaseURL.length)
  if (FOLDER.test(address)) callEarly(`/api/resources${address.slice('/files'.length)}`, token, IN_ROWS)
}
void textsOf(pickLocale(storedLocale()), 'everyday')().catch(() => undefined)
