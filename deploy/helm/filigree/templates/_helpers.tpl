{{- define "filigree.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 53 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 53 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "filigree.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "filigree.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "filigree.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* The prefix of the ingress: nothing, or a path without a slash at its end. */}}
{{- define "filigree.base" -}}
{{- if .Values.ingress.enabled }}{{ trimSuffix "/" .Values.ingress.path }}{{ end }}
{{- end }}

{{/* Whether anything is kept in the volume of the chart. */}}
{{- define "filigree.hasVolume" -}}
{{- if or (not .Values.database.url) (not (or .Values.files.bucket .Values.files.existingClaim)) }}yes{{ end }}
{{- end }}

{{- define "filigree.claim" -}}
{{- .Values.persistence.existingClaim | default (include "filigree.name" .) }}
{{- end }}

{{/* What could not work, with what to change. */}}
{{- define "filigree.check" -}}
{{- if gt (int .Values.replicas) 1 }}
{{- if not .Values.database.url }}{{ fail "Several replicas need PostgreSQL: set database.url." }}{{ end }}
{{- if not (or .Values.files.bucket .Values.files.existingClaim) }}{{ fail "Several replicas need files that all of them reach: set files.bucket, or files.existingClaim to a claim of many writers." }}{{ end }}
{{- end }}
{{- if and .Values.files.bucket .Values.files.existingClaim }}{{ fail "Files are in a bucket or in a claim: set files.bucket or files.existingClaim, not both." }}{{ end }}
{{- if and (or .Values.files.bucket (hasPrefix "postgres" .Values.database.url)) (not .Values.existingSecret) }}{{ fail "PostgreSQL and buckets need credentials: set existingSecret." }}{{ end }}
{{- if and .Values.ingress.enabled (not .Values.trustedProxies) }}{{ fail "Behind an ingress, set trustedProxies to the network of the pods of its controller." }}{{ end }}
{{- end }}
