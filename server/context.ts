import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { isInOtherRoot } from '../shared/places.ts'
import { ArchiveIndexes } from './archives/read/index-cache.ts'
import { Audit } from './audit/audit.ts'
import type { Cluster } from './cluster/cluster.ts'
import { openLocalCluster } from './cluster/local.ts'
import { openPostgresCluster } from './cluster/postgres.ts'
import { type Config, parseSetting } from './config.ts'
import { isPostgres } from './db/address.ts'
import { connectionTo } from './db/connection.ts'
import { openDb } from './db/open.ts'
import { claimDatabase } from './db/process-lock.ts'
import type { Db } from './db/schema.ts'
import { accountEnding } from './features/auth/account-ending.ts'
import { makeFirstAdmin } from './features/auth/first-admin.ts'
import type { AuthMethods } from './features/auth/method.ts'
import { hookMethod } from './features/auth/methods/hook.ts'
import { noMethod } from './features/auth/methods/none.ts'
import { passwordMethod } from './features/auth/methods/password.ts'
import { proxyMethod } from './features/auth/methods/proxy.ts'
import { demandNoauthFlag } from './features/auth/noauth-guard.ts'
import { Sessions } from './features/auth/sessions.ts'
import { commandHooks } from './features/commands/hooks.ts'
import { PlainRefusals } from './features/dav/plain-refusals.ts'
import { StoredProperties } from './features/dav/properties.store.ts'
import { HealthWatch } from './features/diagnostics/watch.ts'
import { Directories } from './features/directories/directories.ts'
import { DocumentConverter } from './features/documents/converter.ts'
import { Documents } from './features/documents/documents.ts'
import { Factors } from './features/factors/factors.ts'
import { findActingUser } from './features/groups/acting-user.ts'
import { seenRoots } from './features/groups/roots.store.ts'
import { fileWorker } from './features/jobs/job-handlers.ts'
import { StoredLocks } from './features/locks/locks.ts'
import { Mails } from './features/mail/mails.ts'
import { followedDocuments } from './features/office/followed.ts'
import { Office } from './features/office/office.ts'
import { providerLogout } from './features/oidc/logout.ts'
import { Providers } from './features/oidc/providers.ts'
import { Cache } from './features/previews/cache.ts'
import { CACHE_BYTES } from './features/previews/limits.ts'
import { openPreviews } from './features/previews/open-previews.ts'
import type { Previews } from './features/previews/previews.ts'
import { Quotas } from './features/quotas/quotas.ts'
import { QuotaWarnings } from './features/quotas/warnings.ts'
import { Secrets } from './features/secrets/secrets.ts'
import { readSettings, rememberServedRoot, signingKey, stagingKey } from './features/settings/settings.store.ts'
import { Deliveries } from './features/shares/deliveries.ts'
import { endingLinks } from './features/shares/ending.ts'
import { itemsSharedWith } from './features/shares/received.ts'
import { linkRecords, Shares } from './features/shares/shares.ts'
import { Tokens } from './features/tokens/tokens.ts'
import { OrphanCleanup } from './features/uploads/orphan-cleanup.ts'
import { Uploads } from './features/uploads/uploads.ts'
import type { FirstAdmin } from './features/users/create-first-admin.ts'
import { choosePasswordCost } from './features/users/password.ts'
import { PasswordThrottle } from './features/users/password-throttle.ts'
import { WebhookSender } from './features/webhooks/sender.ts'
import { Webhooks } from './features/webhooks/webhooks.ts'
import { BrandingFolder } from './files/branding.ts'
import { createFiles, type FilesService } from './files/files-service.ts'
import { type HomeOptions, makeHome } from './files/home.ts'
import { allOf, type Dependents } from './files/places.ts'
import type { RecordedChanges } from './history/changes.ts'
import { followedAreas, type OpenHistory, openHistory } from './history/open-history.ts'
import { Integrity } from './integrity/integrity.ts'
import type { WhichJobs } from './jobs/jobs.store.ts'
import { Jobs } from './jobs/jobs.ts'
import { Outbound } from './outbound/outbound.ts'
import { ContentFacts } from './responses/entry-types.ts'
import { ProgramRunner } from './sandbox/run-program.ts'
import { describeSandbox, findSandbox } from './sandbox/sandbox.ts'
import { openSearchIndex } from './search-index/open-index.ts'
import { RootIndexes } from './search-index/root-indexes.ts'
import { logIndex, type SearchIndex } from './search-index/search-index.ts'
import type { StorageDriver } from './storage/driver.ts'
import { type Confinement, confinementLevel, type KernelState, kernelState } from './storage/local.ts'
import { crawlable, openCache, openFolder, openRoot, type RootOptions } from './storage/open-storage.ts'
import { openRoots, type Roots } from './storage/roots.ts'
import { severalRoots } from './storage/several-roots.ts'
import { VERSION } from './version.ts'

export { confinementLevel, describeSandbox, kernelState, openRoots }

/** The services of a running server, created once, in order. */
export interface Context {
  config: Config
  db: Db
  cluster: Cluster
  files: FilesService
  sessions: Sessions
  /** Personal API tokens. */
  tokens: Tokens
  secrets: Secrets
  /** Second factors of users. */
  factors: Factors
  /** Rate limit for wrong passwords. */
  throttle: PasswordThrottle
  shares: Shares
  /** What visitors of file requests send. */
  deliveries: Deliveries
  uploads: Uploads
  /** Deletes what uploads and killed processes left behind. */
  orphanCleanup: OrphanCleanup
  previews: Previews
  /** Office documents as PDF. */
  documents: Documents
  /** Folder of the host's own logo, icons and style sheet. */
  branding: BrandingFolder
  jobs: Jobs
  /** The audit log. */
  audit: Audit
  /** Addresses that are notified of events, and what sends them; mails. */
  webhooks: Webhooks
  webhookSender: WebhookSender
  mails: Mails
  /** Requests to addresses that users chose. */
  outbound: Outbound
  /** The office editor, where the host has one. */
  office: Office | undefined
  /** WebDAV requests that were refused because they came over plain HTTP. */
  plainRefusals: PlainRefusals
  /** What users changed, for the list of changes and for undo. */
  changes: RecordedChanges
  /** Checksums of files, and what checks them. */
  integrity: Integrity
  /** Quotas of users and groups. */
  quotas: Quotas
  history: Pick<OpenHistory, 'findings'>
  /** The further roots, if the configuration names any or may do so later. */
  roots: Roots | undefined
  /** Aborted when the server stops; ends streams that would otherwise never end. */
  stopping: AbortController
  /** What may be detected from the content of files. */
  facts: ContentFacts
  archives: ArchiveIndexes
  /** Runs the programs of users and hooks. */
  programs: ProgramRunner
  /** Signs the tickets issued for a share link's password. */
  ticketKey: Uint8Array
  authMethods: AuthMethods
  /** The OpenID providers of the host. */
  providers: Providers
  /** The LDAP directories of the host. */
  directories: Directories
  /** Where a browser signs out of the provider of a session, if there is one. Never rejects. */
  providerLogout(request: Parameters<typeof providerLogout>[1], sessionId: string): Promise<string | undefined>
  /** Creates the folder of a scope; `fresh` refuses one that is not empty. */
  makeHome(scope: string, how: HomeOptions): Promise<void>
  /** Ends every session of a user except one, and the operations they started. */
  endSessions(userId: number, which?: Omit<WhichJobs, 'only'>): Promise<void>
  /** Ends one session of a user, and the operations it started. */
  endSession(userId: number, sessionId: string): Promise<void>
  /** Ends the locks of a session that its user ends. */
  endLocks(userId: number, sessionId: string): Promise<void>
  /** Ends one API token of a user, or all, with everything that they began. @returns how many */
  endTokens(userId: number, tokenId?: string): Promise<number>
  /** How strictly paths are confined to their scope on this system. */
  confinement: Confinement
  /** What keeps this server from calling the kernel directly; `undefined` if it does. */
  kernelMissing: KernelState['missing']
  /** @throws AppError `bad_request` for a value with which a server would not start */
  checkSetting: typeof parseSetting
  /** Locks a database file for this server alone. @throws AppError `unavailable` when another server holds the lock */
  claim(): void
  /**
   * @throws AppError `bad_request` for the authentication method `noauth` on a public address, unless the host confirms
   *   it
   */
  demandNoauthFlag(): Promise<void>
  /** Creates the first administrator of a new database; does nothing when users exist. */
  makeFirstAdmin(): Promise<FirstAdmin | undefined>
  /** Stores which folder is served, for later commands. */
  rememberRoot(): Promise<void>
  /** Starts the background services. */
  startWork(): Promise<void>
  close(): Promise<void>
}

/**
 * The composition root, and the only file that imports concrete drivers.
 * @param log receives the output of hooks; discarded unless given
 * @throws AppError with a sentence for the console
 */
export async function createContext(config: Config, log: Logger = pino({ level: 'silent' })): Promise<Context> {
  choosePasswordCost(config.passwordCost)
  const { db } = await openDb(config.database, config.cacheDir)
  try {
    const cluster = isPostgres(config.database) ? await openPostgresCluster(config.database) : openLocalCluster()
    return await compose(config, log, { db, cluster }).catch(async thrown => {
      await cluster.close()
      throw thrown
    })
  } catch (thrown) {
    await db.destroy()
    throw thrown
  }
}

async function compose(
  config: Config,
  log: Logger,
  { db, cluster }: Pick<Context, 'db' | 'cluster'>,
): Promise<Context> {
  let release = () => {}
  const isOnlyServer = !isPostgres(config.database)
  const staging = await stagingKey(db)
  const orphanCleanup = new OrphanCleanup({ db, log, isOnlyServer })
  let index: SearchIndex | undefined
  const onListing: RootOptions['onListing'] = (folder, read) => void index?.listed(folder, read)
  const opening = { stagingKey: staging, notes: orphanCleanup, onListing }
  const roots = openRoots(config, { ...opening, seen: seenRoots(db) }, log)
  const storage = await openServed(config, opening, roots)
  index = await openIndex(config, staging, log)
  const openOf = (name: string, root: string) => openIndex({ ...config, root }, staging, log, `-${name}`)
  const rootIndexes = new RootIndexes({ find: name => roots?.find(name), open: openOf })
  cluster.subscribe('files.changed', ({ path }) => void (isInOtherRoot(path) ? rootIndexes : index)?.changed(path))
  const { disableExec, execSandbox, environment, credentials } = config
  const programs = new ProgramRunner(findSandbox(disableExec ? 'none' : execSandbox, environment, config.root))
  const hooks = commandHooks({ programs, environment, settings: () => readSettings(db), log })
  const key = await signingKey(db)
  const [tokens, secrets] = [new Tokens({ db, cluster, files: () => files }), new Secrets(db, config)]
  const sending = { db, cluster, log, isOnlyServer }
  const webhooks = new Webhooks({ db, cluster, mode: config.webhooks, names: config.activityNames })
  const mails = new Mails({ ...sending, config, secrets, deliverDevice: webhooks.deliverDevice })
  const signing = { secrets, key, lifetime: config.tokenLifetime }
  const sessions = new Sessions({ db, cluster, tokens, ...signing, onSignIn: mails.signedIn })
  const dependents = dependentsOf(db, config)
  const keep = { days: config.auditDays, rows: config.auditRows }
  const audit = new Audit({ db, log, keep, deliver: webhooks.deliver })
  const outbound = new Outbound({ networks: config.webhookNetworks })
  const userAgent = `Filigree/${VERSION}`
  const webhookSender = new WebhookSender({ ...sending, webhooks, outbound, userAgent, onOff: mails.webhookOff })
  const history = openHistory({ settings: config, db, cluster, storage, dependents, audit, log, isOnlyServer })
  const integrity = new Integrity({ db, cluster, storage, log, config })
  const locks = new StoredLocks({ db, cluster, audit })
  const quotas = new Quotas({ db, cluster, storage, isOnlyServer, log })
  const sinks = { deliver: webhooks.deliverQuota, mail: mails.quotaReached }
  const quotaWarnings = new QuotaWarnings({ db, cluster, log, homes: () => quotas.homes(), ...sinks })
  const files = createFiles({
    storage,
    index,
    indexOf: root => rootIndexes.of(root),
    cluster,
    globalRules: async () => (await readSettings(db)).rules,
    actorNow: (id, sessionId) => (sessionId === undefined ? findActingUser(db, id) : sessions.userOf(id, sessionId)),
    roots,
    sharedWith: actor => itemsSharedWith(db, actor),
    dependents,
    hooks: disableExec ? undefined : hooks,
    ...history.records,
    sums: integrity.sums,
    locks,
    links: linkRecords(db),
    properties: new StoredProperties(db),
    quotas,
  })
  const cache = new Cache(await openCache(config.previewDir, { credentials, stagingKey: staging }), CACHE_BYTES)
  const previews = openPreviews(config, { cluster, programs, cache, handsOver: storage.disk !== undefined })
  const converter = new DocumentConverter({ allowed: config.documents === 'auto', programs, environment })
  const documents = new Documents({ cluster, cache, converter })
  const worker = fileWorker({ db, files, audit, changes: history.changes, tokens, config })
  const jobs = new Jobs({ db, cluster, worker, isOnlyServer, alongEnd: [webhooks.deliverJob, mails.jobEnded] })
  const deliveries = new Deliveries(db, (link, at) => mails.arrived(link, at))
  const uploads = new Uploads({ files, db, cluster, deliveries })
  const accounts = {
    db,
    cluster,
    config,
    makeHome: (scope: string, how: HomeOptions) => makeHome(storage, scope, how),
    ...accountEnding({ sessions, tokens, jobs, locks }),
  }
  const directories = new Directories({ ...accounts, log, audit })
  const authMethods = {
    json: passwordMethod(db, { directories, hasProviders: config.providers.length > 0 }),
    proxy: proxyMethod(accounts),
    hook: hookMethod({ ...accounts, programs }),
    noauth: noMethod(db),
  }
  const office = config.office === '' ? undefined : new Office({ db, cluster, config, key, userAgent })
  const providers = new Providers({ db, authMethods, config }, userAgent)
  const plainRefusals = new PlainRefusals()
  const parts = { history, providers, directories, secrets, webhooks, mails, office, plainRefusals, roots, integrity }
  const folders = config.rootFolder === undefined ? [] : [config.rootFolder]
  const health = new HealthWatch({ parts, folders, onErrors: mails.healthRed, log })
  return {
    ...accounts,
    files,
    sessions,
    tokens,
    secrets,
    factors: new Factors({ db, secrets, audit }),
    throttle: new PasswordThrottle({ db, cluster }),
    shares: new Shares({ db, files, audit }),
    deliveries,
    uploads,
    orphanCleanup,
    previews,
    documents,
    branding: new BrandingFolder(folder => openFolder(folder, { stagingKey: staging })),
    jobs,
    audit,
    webhooks,
    webhookSender,
    mails,
    outbound,
    office,
    plainRefusals,
    changes: history.changes,
    integrity,
    quotas,
    history,
    roots,
    stopping: new AbortController(),
    facts: new ContentFacts(config, file => previews.coloursOf(file)),
    archives: new ArchiveIndexes(),
    programs,
    ticketKey: key,
    authMethods,
    providers,
    directories,
    providerLogout: (request, sessionId) => providerLogout({ sessions, providers, config }, request, sessionId),
    confinement: confinementLevel(),
    kernelMissing: kernelState(config.kernel).missing,
    checkSetting: parseSetting,
    claim() {
      if (isOnlyServer) release = claimDatabase(config.database)
    },
    demandNoauthFlag: () => demandNoauthFlag(db, config),
    makeFirstAdmin: () => cluster.lock('first-admin', () => makeFirstAdmin(db, config)),
    rememberRoot: () => rememberServedRoot(db, config.root),
    async startWork() {
      if (config.roles !== 'web') {
        orphanCleanup.start({
          ...storage.cleanup,
          expire: () => Promise.all([uploads.sweep(), locks.sweep()]).then(() => {}),
        })
        await quotas.counting.start()
        history.start()
        integrity.scrub.start()
        await jobs.start()
        if (config.webhooks !== 'off') await webhookSender.start()
        await mails.start()
        quotaWarnings.start()
        if (mails.isOn) health.start()
        directories.start()
      }
      if (config.nameIndex !== 'auto' || config.contentIndex === 'always') void index?.want()
      audit.start()
    },
    async close() {
      await health.close()
      await Promise.all([webhookSender.close(), quotaWarnings.close(), mails.close(), directories.close()])
      await jobs.close()
      await orphanCleanup.close()
      await quotas.close()
      await history.close()
      await integrity.scrub.close()
      await programs.close()
      await documents.close()
      await previews.close()
      await Promise.all([index?.close(), rootIndexes.close()])
      await cluster.close()
      await audit.close()
      await db.destroy()
      release()
    },
  }
}

/** What ends with the files and folders it belongs to, and follows them, on this host. */
export const dependentsOf = (db: Db, { office }: Pick<Config, 'office'>): Dependents =>
  allOf([endingLinks(db), followedAreas(db), ...(office === '' ? [] : [followedDocuments(db)])])

/** The search index of the served folder, or of a further root, as configured on this host; `undefined` if there is none. */
async function openIndex(config: Config, stagingKey: Buffer, log: Logger, of = ''): Promise<SearchIndex | undefined> {
  const { root, credentials, nameIndex, nameIndexEvery: scanEvery, database, cacheDir } = config
  const { contentIndex: texts, contentIndexBytes: textsLimit } = config
  if (nameIndex === 'off') return undefined
  const isShared = isPostgres(database)
  const file = `${isShared ? join(cacheDir, 'names') : `${database}.names`}${of}`
  const settings = { file, watches: nameIndex !== 'scheduled', scanEvery, texts, textsLimit }
  const shared = { database: isShared ? connectionTo(database) : undefined }
  return openSearchIndex({ ...settings, ...shared }, await crawlable(root, { credentials, stagingKey }), event =>
    logIndex(log, event),
  )
}

/** The served folder or bucket, as configured on this host. @throws AppError with a sentence for the console */
export async function openServed(
  config: Config,
  staging: Pick<RootOptions, 'stagingKey' | 'notes' | 'onListing'>,
  roots?: Roots,
): Promise<StorageDriver> {
  const { root, rootIsDefault: create, followExternalSymlinks: followsOut, fileMode, dirMode } = config
  const { accelRedirect: proxied, credentials, presignedDownloads: presigned, snapshots, trashPlace, kernel } = config
  const about = { create, followsOut, fileMode, dirMode, proxied, credentials, presigned, snapshots, trashPlace }
  return severalRoots(await openRoot(root, { ...about, ...staging, kernel }), roots)
}
