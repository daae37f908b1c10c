import { pageConfig } from '../lib/config.ts'
import { everydayTexts } from '../lib/i18n/catalogues.ts'
import { pickLocale } from '../lib/i18n/pick.ts'
import { IN_ROWS, preloadCall } from '../lib/preloaded-calls.ts'
import { readToken, storedLocale } from '../lib/stored-token.ts'

/* Runs before the application has loaded, and starts concurrently what it would request one after the other: the texts,
   a fresh token, the folder of the address. The application then takes these calls over. */

const FOLDER = /^\/files(?=\/).*\/$/

const token = readToken()
if (token && pageConfig.LoginPage) {
  preloadCall('/api/renew', token, { method: 'POST' })
  const address = location.pathname.slice(pageConfig.BaseURL.length)
  if (FOLDER.test(address)) preloadCall(`/api/resources${address.slice('/files'.length)}`, token, IN_ROWS)
}
void everydayTexts(pickLocale(storedLocale()))().catch(() => undefined)
