import type { Context } from '../context.ts'
import { accountExportRoutes } from '../features/account-export/routes.ts'
import { archiveRoutes } from '../features/archives/routes.ts'
import { auditRoutes } from '../features/audit/routes.ts'
import { FactorDuty } from '../features/auth/factor-duty.ts'
import { passkeyRoutes } from '../features/auth/passkey-routes.ts'
import { authRoutes } from '../features/auth/routes.ts'
import { brandingRoutes } from '../features/branding/routes.ts'
import { changesRoutes } from '../features/changes/routes.ts'
import { commandRoutes } from '../features/commands/routes.ts'
import { hostSettingsRoutes } from '../features/diagnostics/host-settings-routes.ts'
import { diagnosticsRoutes } from '../features/diagnostics/routes.ts'
import { usageRoutes } from '../features/disk-usage/routes.ts'
import { documentRoutes } from '../features/documents/routes.ts'
import { documentSender } from '../features/documents/send.ts'
import { downloadRoutes } from '../features/downloads/routes.ts'
import { eventRoutes } from '../features/events/routes.ts'
import { explainAccessRoutes } from '../features/explain-access/routes.ts'
import { deviceRoutes } from '../features/factors/device-routes.ts'
import { listPasskeys } from '../features/factors/passkeys.store.ts'
import { factorRoutes } from '../features/factors/routes.ts'
import { groupRoutes } from '../features/groups/routes.ts'
import { healthRoutes } from '../features/health/routes.ts'
import { duplicatesRoutes } from '../features/integrity/duplicates.ts'
import { integrityRoutes } from '../features/integrity/routes.ts'
import { jobRoutes } from '../features/jobs/routes.ts'
import { lockRoutes } from '../features/locks/routes.ts'
import { mailRoutes } from '../features/mail/routes.ts'
import { manifestRoutes } from '../features/manifests/routes.ts'
import { markRoutes } from '../features/marks/routes.ts'
import { mountRoutes } from '../features/mounts/routes.ts'
import { officeRoutes } from '../features/office/routes.ts'
import { oidcRoutes } from '../features/oidc/routes.ts'
import { openapiRoutes } from '../features/openapi/routes.ts'
import { playLinkRoutes } from '../features/play-links/routes.ts'
import { folderCoverRoute } from '../features/previews/cover.ts'
import { previewRoutes } from '../features/previews/routes.ts'
import { previewSender } from '../features/previews/send.ts'
import { pictureSizesRoute } from '../features/previews/sizes.ts'
import { identityRoutes } from '../features/providers/identity-routes.ts'
import { providerStatusRoutes } from '../features/providers/routes.ts'
import { trialRoutes } from '../features/providers/trial-routes.ts'
import { quotaRoutes } from '../features/quotas/routes.ts'
import { resourceRoutes } from '../features/resources/routes.ts'
import { visitorResourceRoutes } from '../features/resources/visitor-routes.ts'
import { searchRoutes } from '../features/search/routes.ts'
import { savedSearchRoutes } from '../features/search/saved-routes.ts'
import { accessSettingsRoutes } from '../features/settings/access-routes.ts'
import { settingsRoutes } from '../features/settings/routes.ts'
import { openEdits } from '../features/shares/edit-links.ts'
import { openInboxes } from '../features/shares/file-requests.ts'
import { grantRoutes } from '../features/shares/grant-routes.ts'
import { Grants } from '../features/shares/grants.ts'
import { handoverRoutes } from '../features/shares/handover-routes.ts'
import { shareRoutes } from '../features/shares/routes.ts'
import { snapshotRoutes } from '../features/snapshots/routes.ts'
import { sendSubtitles, subtitleRoutes } from '../features/subtitles/routes.ts'
import { tokenRoutes } from '../features/tokens/routes.ts'
import { trashRoutes } from '../features/trash/routes.ts'
import { uploadRoutes } from '../features/uploads/routes.ts'
import { visitorUploadRoutes } from '../features/uploads/visitor-routes.ts'
import { disableRoutes } from '../features/users/disable-routes.ts'
import { homeRoutes } from '../features/users/home-routes.ts'
import { usersRoutes } from '../features/users/routes.ts'
import { versionRoutes } from '../features/versions/routes.ts'
import { webhookRoutes } from '../features/webhooks/routes.ts'
import type { Route } from '../routing/route.ts'
import { VERSION } from '../version.ts'

/** Every call of the API, one line per resource; of a call that only creates jobs, how the job runs. */
export function listRoutes(context: Context): Route[] {
  if (context.config.roles === 'worker') return healthRoutes(context)
  const sendPreview = previewSender(context)
  const sendDocument = documentSender(context)
  const duty = new FactorDuty(context.db)
  const routes = [
    ...healthRoutes(context),
    ...authRoutes(context),
    ...oidcRoutes(context),
    ...providerStatusRoutes(context),
    ...trialRoutes(context),
    ...identityRoutes({ ...context, passkeysOf: userId => listPasskeys(context.db, userId) }),
    ...resourceRoutes(context),
    ...downloadRoutes(context),
    ...playLinkRoutes(context),
    ...archiveRoutes(context),
    ...previewRoutes({ ...context, sendPreview }),
    ...documentRoutes({ ...context, sendDocument }),
    pictureSizesRoute(context),
    folderCoverRoute(context),
    ...trashRoutes(context),
    ...versionRoutes({ ...context, sendPreview }),
    ...snapshotRoutes(context),
    ...changesRoutes(context),
    ...markRoutes(context),
    ...uploadRoutes(context),
    ...lockRoutes(context),
    ...officeRoutes(context),
    ...visitorUploadRoutes({ ...context, inboxes: openInboxes(context) }),
    ...visitorResourceRoutes({ ...context, edits: openEdits(context) }),
    ...manifestRoutes(context),
    ...integrityRoutes(context),
    ...duplicatesRoutes(context),
    ...jobRoutes(context),
    ...eventRoutes(context),
    ...usageRoutes(context),
    ...searchRoutes(context),
    ...savedSearchRoutes(context),
    ...shareRoutes({ ...context, sendPreview, sendDocument, sendSubtitles }),
    ...grantRoutes(context),
    ...handoverRoutes(context),
    ...accountExportRoutes({ ...context, grants: new Grants(context) }),
    ...subtitleRoutes(context),
    ...disableRoutes(context),
    ...homeRoutes(context),
    ...usersRoutes(context),
    ...groupRoutes(context),
    ...mountRoutes(context),
    ...tokenRoutes(context),
    ...factorRoutes({ ...context, duty }),
    ...deviceRoutes(context),
    ...passkeyRoutes({ ...context, duty }),
    ...settingsRoutes(context),
    ...accessSettingsRoutes(context),
    ...brandingRoutes(context),
    ...commandRoutes(context),
    ...auditRoutes(context),
    ...quotaRoutes(context),
    ...webhookRoutes(context),
    ...mailRoutes(context),
    ...explainAccessRoutes(context),
    ...diagnosticsRoutes(context),
    ...hostSettingsRoutes(context),
  ]
  return [...routes, ...openapiRoutes(routes, { baseURL: context.config.baseURL, version: VERSION })]
}
