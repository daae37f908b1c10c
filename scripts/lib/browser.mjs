import { existsSync } from 'node:fs'
import { installPackages, isDebian } from './debian.mjs'
import { findProgram, tool } from './repo.mjs'
import { fail, runNode, say } from './run.mjs'

/** The headless shell, the same engine at half the cost, comes first. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const PACKAGES = ['chromium-headless-shell', 'fonts-dejavu-core']

/**
 * The path of a Chromium for the browser tests. `FILIGREE_CHROMIUM` names one; otherwise the search path and
 * Playwright's own are tried. Where Debian's package is available, its headless shell is installed; elsewhere
 * Playwright's, if there is no browser at all.
 */
export async function ensureBrowser() {
  const named = process.env.FILIGREE_CHROMIUM
  if (named && !existsSync(named)) fail(`FILIGREE_CHROMIUM names a file that does not exist: ${named}`)
  if (named) return named
  const installing = isDebian() && findProgram(NAMES[0]) === undefined ? await installFromDebian() : undefined
  return (await findBrowser()) ?? (await installFromPlaywright(installing?.output ?? ''))
}

const findBrowser = async () => NAMES.map(findProgram).find(path => path !== undefined) ?? (await playwrightBrowser())

/** Playwright's own Chromium, if it is installed. */
async function playwrightBrowser() {
  const question = "import('@playwright/test').then(p => console.log(p.chromium.executablePath()))"
  const { code, output } = await runNode(['--input-type=module', '--eval', question], { quiet: true })
  const path = output.trim()
  return code === 0 && existsSync(path) ? path : undefined
}

/** Errors are ignored: the caller checks whether there is a browser now. */
function installFromDebian() {
  say('Installing a browser for the tests…')
  return installPackages(...PACKAGES)
}

/** @param said output of another attempt */
async function installFromPlaywright(said) {
  say('Installing a browser for the tests…')
  const { output } = await runNode([tool.playwright, 'install', 'chromium'], { quiet: true })
  return (await playwrightBrowser()) ?? fail((said + output).trimEnd(), '', ...browserMissing)
}

const browserMissing = [
  'The browser tests need a Chromium, and it could not be installed; the reason is above.',
  'Install one (on Debian: apt-get install chromium-headless-shell), or set its path with FILIGREE_CHROMIUM=/path/to/chromium.',
]
