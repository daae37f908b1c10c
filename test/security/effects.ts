import type { Route } from '../../server/routing/route.ts'
import type { Permission } from '../../shared/permissions.ts'
import { type Ask, CONTENT, callsOf, type Reply } from './world.ts'

/** The target of a call. Only the first four may ever have an effect. */
export const AIMS = {
  file: '/a.txt',
  folder: '/docs',
  link: '/outfile',
  missing: '/nothing.txt',
  denied: '/deny/secret.txt',
  hidden: '/.hidden',
  behind: '/out/marker.txt',
  alias: '/inlink',
} as const
export type Aim = keyof typeof AIMS

/** A way to use a call, and its possible effect. */
export interface Act {
  /** The rest of a request for a path; `target` is below the route. Other paths in it are below `top`. */
  ask(path: string, top?: string): Partial<Ask>
  /** The permissions with which it has its effect, by target; elsewhere it is refused. */
  needs: Partial<Record<Aim, readonly Permission[]>>
  /** Its effect is visible on the disk. */
  changes?: true
  /** Responds 200 even if there is nothing to return. */
  quiet?: true
}

const READ = { file: ['download'], folder: ['download'] } as const
/** A link is an item of its own, even if its target is denied. */
const REMOVED = { file: ['delete'], folder: ['delete'], link: ['delete'], alias: ['delete'] } as const
const json = (value: unknown) => ({ body: JSON.stringify(value) })
const target = (path: string) => ({ target: path })

/** Responds when the job has ended, so that its effect is visible. */
const jobs =
  (kind: string, to?: string) =>
  (path: string, top = '') => ({
    ...json({ kind, items: [{ from: path, ...(to === undefined ? {} : { to: top + to }) }] }),
    headers: { Prefer: 'wait=30' },
  })

/**
 * The effect of every call on files, and the required permissions. A call that is missing here fails the tests; one
 * that touches no file states what it is about.
 */
export const EFFECTS: Readonly<Record<string, readonly Act[] | string>> = {
  'GET /api/resources/*': [
    { ask: target, needs: { file: [], folder: [] } },
    { ask: path => ({ target: `${path}?checksum=sha256` }), needs: { file: ['download'], folder: [] } },
  ],
  'GET /api/resources/recursive/*': [{ ask: target, needs: { folder: [] } }],
  'POST /api/resources/*': [
    {
      ask: path => ({ target: `${path}?override=true`, body: 'new' }),
      needs: { file: ['create', 'modify'], missing: ['create'] },
      changes: true,
    },
    {
      ask: path => ({ target: `${path}/new/`, body: '' }),
      needs: { folder: ['create'], missing: ['create'] },
      changes: true,
    },
  ],
  'PUT /api/resources/*': [
    { ask: path => ({ target: path, body: 'new' }), needs: { file: ['modify'] }, changes: true },
  ],
  'PATCH /api/resources/*': [
    {
      ask: (path, top = '') => ({ target: `${path}?action=copy&destination=${encodeURIComponent(`${top}/copy`)}` }),
      needs: { file: ['create'], folder: ['create'] },
      changes: true,
    },
    {
      ask: (path, top = '') => ({ target: `${path}?action=rename&destination=${encodeURIComponent(`${top}/moved`)}` }),
      needs: { file: ['rename'], folder: ['rename'], link: ['rename'] },
      changes: true,
    },
    {
      ask: (path, top = '') => ({
        target: `${top}/docs-2/x.txt?action=copy&override=true&destination=${encodeURIComponent(path)}`,
      }),
      needs: { file: ['create', 'modify'], missing: ['create'] },
      changes: true,
    },
  ],
  'DELETE /api/resources/*': [{ ask: target, needs: REMOVED, changes: true }],
  'OPTIONS /api/tus/*': 'what the server can do',
  'POST /api/tus/*': [
    {
      ask: path => ({ target: `${path}?override=true`, headers: { 'Upload-Length': '0' } }),
      needs: { file: ['create', 'modify'], missing: ['create'] },
      changes: true,
    },
  ],
  'GET /api/tus/*': [{ ask: target, needs: {} }],
  'HEAD /api/tus/*': [{ ask: target, needs: {} }],
  'PATCH /api/tus/*': [
    {
      ask: path => ({
        target: path,
        headers: { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
        body: 'new',
      }),
      needs: {},
    },
  ],
  'DELETE /api/tus/*': [{ ask: target, needs: {} }],
  'GET /api/raw/*': [
    { ask: target, needs: READ },
    { ask: path => ({ target: `${path}?inline=true` }), needs: READ },
    {
      ask: path => ({ target: `?files=${encodeURIComponent(encodeURIComponent(path.slice(1)))}&algo=tar` }),
      needs: {},
      quiet: true,
    },
  ],
  'HEAD /api/raw/*': [{ ask: target, needs: READ }],
  // A session does not open these; test/integration/play-links.test.ts has what their tickets do.
  'GET /api/play/*': [{ ask: target, needs: {} }],
  'HEAD /api/play/*': [{ ask: target, needs: {} }],
  // The files are no videos; the playlist of a folder has what the user may play of it.
  'POST /api/play-links': [{ ask: path => json({ path }), needs: { folder: [] } }],
  // None of the files is an archive: for those see test/api/archive-members.test.ts.
  'GET /api/archives/list/*': [{ ask: target, needs: {} }],
  'GET /api/archives/member/*': [{ ask: path => ({ target: `${path}?member=/a.txt` }), needs: {} }],
  'HEAD /api/archives/member/*': [{ ask: path => ({ target: `${path}?member=/a.txt` }), needs: {} }],
  'POST /api/office/open': 'needs an office editor; test/integration/wopi-open.test.ts has who may open what',
  'POST /api/office/test': 'for administrators only',
  // None of the files is a document: for those see test/api/documents.test.ts.
  'GET /api/paper/*': [{ ask: target, needs: {} }],
  'HEAD /api/paper/*': [{ ask: target, needs: {} }],
  'GET /api/preview/thumb/*': [{ ask: target, needs: {} }],
  'HEAD /api/preview/thumb/*': [{ ask: target, needs: {} }],
  'GET /api/preview/512/*': [{ ask: target, needs: {} }],
  'GET /api/preview/1024/*': [{ ask: target, needs: {} }],
  'GET /api/preview/big/*': [{ ask: target, needs: {} }],
  'HEAD /api/preview/512/*': [{ ask: target, needs: {} }],
  'HEAD /api/preview/1024/*': [{ ask: target, needs: {} }],
  'HEAD /api/preview/big/*': [{ ask: target, needs: {} }],
  'GET /api/preview/*': [{ ask: path => ({ target: `/small${path}` }), needs: {} }],
  'HEAD /api/preview/*': [{ ask: path => ({ target: `/small${path}` }), needs: {} }],
  'GET /api/subtitle/*': [{ ask: target, needs: {} }],
  'GET /api/snapshots/*': [{ ask: target, needs: {}, quiet: true }],
  'POST /api/snapshots/*': [{ ask: path => ({ target: path, ...json({ at: 'none' }) }), needs: {} }],
  'GET /api/manifest/*': [{ ask: target, needs: READ }],
  'GET /api/verify/*': [{ ask: target, needs: {} }],
  'GET /api/usage/*': [{ ask: target, needs: { file: [], folder: [] } }],
  'GET /api/covers/*': [{ ask: target, needs: { folder: ['download'] } }],
  'GET /api/sizes/*': [{ ask: target, needs: { folder: [] } }],
  'GET /api/search/*': [{ ask: path => ({ target: `${path}?query=marker` }), needs: {}, quiet: true }],
  'GET /api/share/*': [{ ask: target, needs: {}, quiet: true }],
  'POST /api/share/*': [
    {
      ask: path => ({ target: path, ...json({}) }),
      needs: { file: ['share', 'download'], folder: ['share', 'download'] },
    },
  ],
  'GET /api/command/*': [{ ask: target, needs: {} }],
  'POST /api/jobs': [
    { ask: jobs('copy', '/copy'), needs: { file: ['create'], folder: ['create'] }, changes: true, quiet: true },
    {
      ask: jobs('move', '/moved'),
      needs: { file: ['rename'], folder: ['rename'], link: ['rename'] },
      changes: true,
      quiet: true,
    },
    {
      ask: jobs('rename', '/moved'),
      needs: { file: ['rename'], folder: ['rename'], link: ['rename'] },
      changes: true,
      quiet: true,
    },
    { ask: jobs('verify'), needs: { file: ['download'], folder: ['download'] }, quiet: true },
    {
      ask: jobs('delete'),
      needs: REMOVED,
      changes: true,
      quiet: true,
    },
  ],
  'POST /api/conflicts': [
    { ask: (path, top = '') => json({ items: [{ from: path, to: `${top}/docs/a.txt` }] }), needs: {}, quiet: true },
    { ask: (path, top = '') => json({ items: [{ from: `${top}/a.txt`, to: path }] }), needs: {}, quiet: true },
  ],
  'POST /api/rename/facts': [{ ask: path => json({ paths: [path] }), needs: { file: ['download'] }, quiet: true }],
  'GET /api/picture-sizes/*':
    'says nothing of files that the caller may not read; test/api/picture-sizes.test.ts has who may do what',
  'GET /api/why': 'explains decisions and has no effect',
  'GET /api/audit': 'for administrators only, and about no file of its own',
  'GET /api/audit/export': 'the same',
  'GET /api/webhooks':
    'the caller’s own, or those of the administrators; test/integration/user-webhooks.test.ts has who hears what',
  'POST /api/webhooks': 'the same',
  'PUT /api/webhooks/:id': 'the same',
  'DELETE /api/webhooks/:id': 'the same',
  'POST /api/webhooks/:id/secret': 'the same',
  'POST /api/webhooks/:id/test': 'the same',
  'GET /api/webhooks/:id/deliveries': 'the same',
  'POST /api/webhooks/:id/deliveries/:delivery/again': 'the same',
  'GET /api/mail': 'for administrators only, and about the host',
  'POST /api/mail/test': 'for administrators only',
  'GET /api/account/mail': 'about the account of the caller',
  'PUT /api/account/mail': 'the same',
  'POST /api/users/:id/invitation': 'for administrators only, about an account',
  'POST /api/users/:id/one-time-link': 'the same',
  'POST /api/password-reset': 'about accounts; test/integration/mail.test.ts has who gets what',
  'POST /api/mail-links/look': 'the same',
  'POST /api/mail-links/use': 'the same',
  'POST /api/mail-off': 'about accounts; test/api/link-mails.test.ts has whose',
  'GET /api/mail-off': 'leads to the profile',
  'GET /api/integrity': 'for administrators only, and about no single file',
  'GET /api/integrity/findings': 'for administrators only',
  'PATCH /api/integrity/findings/:id': 'for administrators only; by an id, and as a save where it changes a file',
  'GET /api/duplicates': 'the caller’s own searches',
  'GET /api/duplicates/:run': 'the caller’s own searches, by id; test/api/duplicates.test.ts has who may do what',
  'GET /api/doctor': 'for administrators only, and about the host',
  'GET /api/doctor/files':
    'for administrators only; it names files of their own scope, whose bytes have a call of their own',
  'GET /api/doctor/settings': 'about the host again',
  'PUT /api/doctor/settings/:name': 'the same',
  'DELETE /api/doctor/settings/:name': 'the same',
  'GET /api/doctor/socket': 'the same',
  'GET /api/doctor/wait': 'the same',
  'GET /api/events': 'a stream that does not end; test/api/jobs.test.ts has its refusals',
  'GET /api/jobs': 'own jobs',
  'GET /api/jobs/:id': 'own jobs',
  'PATCH /api/jobs/:id': 'own jobs',
  'POST /api/jobs/:id/cancel': 'own jobs',
  'DELETE /api/jobs/:id': 'own jobs',
  'GET /api/changes': 'recorded changes; test/api/changes.test.ts has who may do what',
  'GET /api/changes/export': 'recorded changes, for administrators; test/api/activity.test.ts has who may do what',
  'GET /api/activity/*': 'recorded changes, by path; test/api/activity.test.ts has who may do what',
  'GET /api/changes/:id': 'recorded changes, by id; test/api/changes.test.ts has who may do what',
  'POST /api/changes/:id/undo': 'recorded changes, by id; test/api/changes.test.ts has who may do what',
  'POST /api/changes/rewind': 'recorded changes; test/api/rewind.test.ts has who may do what',
  'GET /api/trash': 'deleted items, by id; test/api/trash.test.ts has who may do what',
  'GET /api/trash/items/*': 'deleted items, by id; test/api/trash.test.ts has who may do what',
  'GET /api/trash/raw/*': 'deleted items, by id; test/api/trash.test.ts has who may do what',
  'HEAD /api/trash/raw/*': 'deleted items, by id; test/api/trash.test.ts has who may do what',
  'POST /api/trash/restore': 'deleted items, by id; test/api/trash.test.ts has who may do what',
  'POST /api/trash/conflicts': 'deleted items, by id; test/api/trash-room.test.ts has who may do what',
  'GET /api/trash/room': 'what the caller’s trash takes; test/api/trash-room.test.ts has who may do what',
  'POST /api/trash/empty': 'deleted items; test/api/trash.test.ts has who may do what',
  'POST /api/trash/purge': 'deleted items, by id; test/api/trash.test.ts has who may do what',
  'GET /api/locks/*': 'locks; test/integration/locks.test.ts has who may do what',
  'DELETE /api/locks/*': 'locks, by id; test/integration/locks.test.ts has who may do what',
  'GET /api/stars': 'the caller’s own marks; test/api/marks.test.ts has who may do what',
  'PUT /api/stars/*': 'the caller’s own marks; test/api/marks.test.ts has who may do what',
  'DELETE /api/stars/*': 'the caller’s own marks; test/api/marks.test.ts has who may do what',
  'POST /api/stars/order': 'the caller’s own marks; test/api/marks.test.ts has who may do what',
  'GET /api/marks/*': 'the caller’s own marks; test/api/marks.test.ts has who may do what',
  'GET /api/searches': 'the caller’s own searches; test/api/saved-searches.test.ts has who may do what',
  'POST /api/searches': 'the caller’s own searches; test/api/saved-searches.test.ts has who may do what',
  'PATCH /api/searches/:id': 'the caller’s own searches; test/api/saved-searches.test.ts has who may do what',
  'DELETE /api/searches/:id': 'the caller’s own searches; test/api/saved-searches.test.ts has who may do what',
  'GET /api/tags': 'tags, by id; test/api/tags.test.ts has who may do what',
  'POST /api/tags': 'tags, by id; test/api/tags.test.ts has who may do what',
  'PATCH /api/tags/:id': 'tags, by id; test/api/tags.test.ts has who may do what',
  'DELETE /api/tags/:id': 'tags, by id; test/api/tags.test.ts has who may do what',
  'GET /api/tags/:id/items': 'tags, by id; test/api/tags.test.ts has who may do what',
  'GET /api/notes/*': 'notes, by path; test/api/remarks.test.ts has who may do what',
  'PUT /api/notes/*': 'notes, by path; test/api/remarks.test.ts has who may do what',
  'GET /api/comments/*': 'comments, by path; test/api/remarks.test.ts has who may do what',
  'POST /api/comments/*': 'comments, by path; test/api/remarks.test.ts has who may do what',
  'PATCH /api/comment/:id': 'comments, by id; test/api/remarks.test.ts has who may do what',
  'DELETE /api/comment/:id': 'comments, by id; test/api/remarks.test.ts has who may do what',
  'PUT /api/tagged': 'tags, by id; test/api/tags.test.ts has who may do what',
  'GET /api/recent': 'the caller’s own marks; test/api/marks.test.ts has who may do what',
  'PUT /api/recent/*': 'the caller’s own marks; test/api/marks.test.ts has who may do what',
  'PATCH /api/recent': 'the caller’s own marks; test/api/marks.test.ts has who may do what',
  'DELETE /api/recent': 'the caller’s own marks; test/api/marks.test.ts has who may do what',
  'GET /api/versions/*': 'former contents, by path; test/api/versions.test.ts has who may do what',
  'POST /api/versions/*': 'former contents, by path; test/api/versions.test.ts has who may do what',
  'PATCH /api/kept/:id': 'former contents, by id; test/api/versions.test.ts has who may do what',
  'DELETE /api/kept/:id': 'former contents, by id; test/api/versions.test.ts has who may do what',
  'GET /api/kept/raw/*': 'former contents, by id; test/api/versions.test.ts has who may do what',
  'HEAD /api/kept/raw/*': 'former contents, by id; test/api/versions.test.ts has who may do what',
  'GET /api/kept/preview/thumb/*': 'former contents, by id; test/api/versions.test.ts has who may do what',
  'HEAD /api/kept/preview/thumb/*': 'former contents, by id; test/api/versions.test.ts has who may do what',
  'GET /api/kept/preview/big/*': 'former contents, by id; test/api/versions.test.ts has who may do what',
  'HEAD /api/kept/preview/big/*': 'former contents, by id; test/api/versions.test.ts has who may do what',
  'GET /api/shares': 'own links',
  'GET /api/grants': 'own grants',
  'GET /api/grants/all': 'for administrators',
  'GET /api/grants/people': 'names, not files; test/api/grants-owner.test.ts has who finds whom',
  'GET /api/grants/received': 'what others share; test/api/grants.test.ts has what it gives',
  'DELETE /api/grants/received/:id': 'what others share; test/api/grants.test.ts has what it gives',
  'POST /api/grants': 'shares a file as a link does; test/api/grants-owner.test.ts has who may',
  'PATCH /api/grants/:id': 'own grants',
  'DELETE /api/grants/:id': 'own grants',
  'DELETE /api/share/*': 'own links',
  'PATCH /api/links/:hash': 'own links',
  'GET /api/links/:hash/deliveries': 'own links',
  'GET /api/links/:hash/visits': 'own links',
  'POST /api/links/:hash/invitations': 'own links; test/api/link-mails.test.ts has who may',
  'GET /api/public/share/*': 'links, in a matrix of their own',
  'GET /api/public/dl/*': 'links, in a matrix of their own',
  'HEAD /api/public/dl/*': 'links, in a matrix of their own',
  'GET /api/public/archives/list/*': 'links, opened as for a download',
  'GET /api/public/archives/member/*': 'links, opened as for a download',
  'HEAD /api/public/archives/member/*': 'links, opened as for a download',
  'GET /api/public/paper/*': 'links, opened as for a download',
  'HEAD /api/public/paper/*': 'links, opened as for a download',
  'GET /api/public/preview/thumb/*': 'links, opened as for a download',
  'HEAD /api/public/preview/thumb/*': 'links, opened as for a download',
  'GET /api/public/preview/512/*': 'links, opened as for a download',
  'GET /api/public/preview/1024/*': 'links, opened as for a download',
  'GET /api/public/preview/big/*': 'links, opened as for a download',
  'HEAD /api/public/preview/512/*': 'links, opened as for a download',
  'HEAD /api/public/preview/1024/*': 'links, opened as for a download',
  'HEAD /api/public/preview/big/*': 'links, opened as for a download',
  'GET /api/public/picture-sizes/*': 'links, opened as for a download',
  'GET /api/public/subtitle/*': 'links, opened as for a download',
  'POST /api/public/tus/*': 'file requests; test/api/file-requests.test.ts has what visitors may do',
  'GET /api/public/tus/*': 'file requests; test/api/file-requests.test.ts has what visitors may do',
  'HEAD /api/public/tus/*': 'file requests; test/api/file-requests.test.ts has what visitors may do',
  'PATCH /api/public/tus/*': 'file requests; test/api/file-requests.test.ts has what visitors may do',
  'DELETE /api/public/tus/*': 'file requests; test/api/file-requests.test.ts has what visitors may do',
  'POST /api/public/resources/*': 'links to edit, in a matrix of their own (edit-links.test.ts)',
  'PUT /api/public/resources/*': 'links to edit, in a matrix of their own (edit-links.test.ts)',
  'PATCH /api/public/resources/*': 'links to edit, in a matrix of their own (edit-links.test.ts)',
  'DELETE /api/public/resources/*': 'links to edit, in a matrix of their own (edit-links.test.ts)',
  'GET /api/users': 'accounts',
  'GET /api/users/seen': 'accounts',
  'GET /api/users/disabled': 'accounts',
  'PUT /api/users/:id/disabled': 'accounts; test/api/users-disable.test.ts has what ends',
  'GET /api/users/homeless': 'accounts',
  'GET /api/account/export': 'the own account; test/integration/account-export.test.ts has what is in it',
  'GET /api/users/:id/export': 'accounts; test/integration/account-export.test.ts has what is in it',
  'PUT /api/users/:id/home': 'accounts; test/integration/homeless.test.ts has what is left',
  'POST /api/users': 'accounts',
  'GET /api/users/:id': 'accounts',
  'PUT /api/users/:id': 'accounts',
  'DELETE /api/users/:id': 'accounts',
  'POST /api/users/:id/handover': 'accounts; test/api/handover.test.ts has what is handed over',
  'GET /api/quota': 'quotas of users',
  'GET /api/quotas': 'quotas of users',
  'PUT /api/quotas/users/:id': 'quotas of users',
  'PUT /api/quotas/groups/:id': 'quotas of users',
  'POST /api/quotas/recount': 'quotas of users',
  'GET /api/groups': 'groups of users',
  'POST /api/groups': 'groups of users',
  'PUT /api/groups/order': 'groups of users',
  'GET /api/groups/:id': 'groups of users',
  'PUT /api/groups/:id': 'groups of users',
  'DELETE /api/groups/:id': 'groups of users',
  'GET /api/groups/:id/members': 'groups of users',
  'PUT /api/groups/:id/members/:user': 'groups of users',
  'DELETE /api/groups/:id/members/:user': 'groups of users',
  'GET /api/users/:id/access': 'groups of users',
  'GET /api/account/access': 'groups of users',
  'GET /api/roots': 'further roots',
  'PATCH /api/roots/:name': 'further roots',
  'GET /api/mounts': 'mounts',
  'POST /api/mounts': 'mounts',
  'GET /api/mounts/own': 'mounts; test/integration/roots.test.ts has whose',
  'GET /api/mounts/:id': 'mounts',
  'PUT /api/mounts/:id': 'mounts',
  'DELETE /api/mounts/:id': 'mounts',
  'PUT /api/mounts/:id/access/:kind/:subject': 'mounts',
  'DELETE /api/mounts/:id/access/:kind/:subject': 'mounts',
  'GET /api/tokens': 'API tokens',
  'POST /api/tokens': 'API tokens',
  'DELETE /api/tokens': 'API tokens',
  'PATCH /api/tokens/:id': 'API tokens',
  'DELETE /api/tokens/:id': 'API tokens',
  'GET /api/tokens/self': 'API tokens',
  'POST /api/login/factor': 'signing in',
  'POST /api/login/factor/passkey': 'signing in',
  'POST /api/login/passkey/options': 'signing in',
  'POST /api/login/passkey': 'signing in',
  'POST /api/login/enrol/totp': 'signing in',
  'POST /api/login/enrol/totp/confirm': 'signing in',
  'POST /api/login/enrol/passkey/options': 'signing in',
  'POST /api/login/enrol/passkey': 'signing in',
  'GET /api/settings/access': 'settings',
  'PUT /api/settings/access': 'settings',
  'GET /api/account/factors': 'second factors',
  'POST /api/account/totp': 'second factors',
  'POST /api/account/totp/confirm': 'second factors',
  'DELETE /api/account/totp': 'second factors',
  'POST /api/account/confirm': 'second factors',
  'POST /api/account/confirm/options': 'second factors',
  'POST /api/account/recovery': 'second factors',
  'POST /api/account/passkeys/options': 'second factors',
  'POST /api/account/passkeys': 'second factors',
  'PATCH /api/account/passkeys/:id': 'second factors',
  'DELETE /api/account/devices/:id': 'second factors',
  'DELETE /api/account/passkeys/:id': 'second factors',
  'GET /api/users/:id/factors': 'second factors',
  'DELETE /api/users/:id/factors': 'second factors',
  'GET /api/users/:id/tokens': 'API tokens',
  'DELETE /api/users/:id/tokens/:token': 'API tokens',
  'GET /api/settings': 'settings',
  'PUT /api/settings': 'settings',
  'GET /api/branding': 'settings',
  'PUT /api/branding/:image': 'settings',
  'DELETE /api/branding/:image': 'settings',
  'POST /api/login': 'sessions',
  'POST /api/login/handover': 'sessions',
  'GET /api/oidc/:slug/start': 'sessions',
  'POST /api/oidc/:slug/link': 'sessions',
  'POST /api/oidc/:slug/confirm': 'sessions',
  'GET /api/account/identities': 'sessions',
  'DELETE /api/account/identities/:slug': 'sessions',
  'GET /api/providers': 'sessions',
  'POST /api/oidc/:slug/trial': 'sessions',
  'POST /api/directories/:slug/trial': 'sessions',
  'GET /api/providers/trials/:id': 'sessions',
  'POST /api/directories/:slug/sync': 'accounts',
  'GET /api/oidc/:slug/callback': 'sessions',
  'POST /api/oidc/:slug/backchannel-logout': 'sessions',
  'GET /api/renew': 'sessions',
  'POST /api/renew': 'sessions',
  'POST /api/logout': 'sessions',
  'POST /api/signup': 'accounts',
  'GET /api/sessions': 'sessions',
  'DELETE /api/sessions': 'sessions',
  'DELETE /api/sessions/:id': 'sessions',
  'GET /health': 'the server',
  'HEAD /health': 'the server',
  'GET /health/ready': 'the server',
  'POST /health': 'the server',
  'PUT /health': 'the server',
  'DELETE /health': 'the server',
  'GET /api/openapi.json': 'the API',
  'GET /docs/api': 'the API',
  'HEAD /docs/api': 'the API',
}

/**
 * Every way to use the calls that touch files. @returns each with a name, its method, and its path before the file's
 */
export const actsOf = (routes: readonly Route[]) =>
  callsOf(routes).flatMap(({ name, method, route }) => {
    const known = EFFECTS[name]
    if (known === undefined || typeof known === 'string') return []
    const prefix = route.path.replace(/\/\*$/, '')
    return known.map((act, index) => ({ name: `${name} (${index + 1})`, method, prefix, act }))
  })

/** What happened after a call. */
export interface Outcome extends Reply {
  /** Files were changed. */
  changed: boolean
}

/**
 * What is wrong with the outcome of a call on one kind of target, for a caller with some permissions there; `undefined` if
 * nothing is.
 */
export function faultOf(
  act: Act,
  aim: Aim,
  has: (name: Permission) => boolean,
  { status, text, changed }: Pick<Outcome, 'status' | 'text' | 'changed'>,
): string | undefined {
  const may = act.needs[aim]?.every(has) ?? false
  if (status >= 500 && status !== 501) return `an answer of ${status}`
  if (!has('download') && text.includes(CONTENT)) return 'content without the right to read'
  if (changed !== (may && act.changes === true)) return `${changed ? 'a' : 'no'} change, ${status}`
  if (act.quiet) return undefined
  return status < 400 === may ? undefined : `an answer of ${status}`
}
