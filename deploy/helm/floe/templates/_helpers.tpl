{{- define "floe.metadata" -}}
namespace: {{ .Release.Namespace }}
labels:
  app.kubernetes.io/part-of: floe
{{- end }}

{{- /* Variables without secrets. */}}
{{- define "floe.variables" -}}
PUBLIC_URL: {{ .Values.publicUrl | quote }}
TRUSTED_PROXIES: {{ .Values.trustedProxies | quote }}
LOG_LEVEL: {{ .Values.logLevel | quote }}
{{- with .Values.s3.endpoint }}
S3_ENDPOINT: {{ . | quote }}
{{- end }}
{{- with .Values.s3.publicEndpoint }}
S3_PUBLIC_ENDPOINT: {{ . | quote }}
{{- end }}
S3_REGION: {{ .Values.s3.region | quote }}
S3_BUCKET: {{ .Values.s3.bucket | quote }}
AUTH_URL: http://auth:3000
SHARE_URL: http://share:3000
FILE_URL: http://file:3000
ADMIN_URL: http://admin:3000
{{- if .Values.antivirus.enabled }}
CLAMAV_HOST: clamav
{{- end }}
{{- range $name, $value := .Values.environment }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}

{{- /* A change restarts the pods, because the name ends in a digest. */}}
{{- define "floe.configMap" -}}
floe-{{ include "floe.variables" . | sha256sum | trunc 10 }}
{{- end }}

{{- /* Common to all pods, including the job. */}}
{{- define "floe.pod" -}}
serviceAccountName: floe
automountServiceAccountToken: false
# Kubernetes would add variables such as FILE_PORT, named after the services.
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: tmp
    emptyDir:
      sizeLimit: 256Mi
  - name: secrets
    secret:
      secretName: {{ .Values.existingSecret }}
      # 0440
      defaultMode: 288
{{- end }}

{{- define "floe.container" -}}
image: {{ printf "%s:%s" .Values.image.repository .Values.image.tag | quote }}
envFrom:
  - configMapRef:
      name: {{ include "floe.configMap" . }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  - { name: secrets, mountPath: /secrets, readOnly: true }
env:
  - { name: DATABASE_URL_FILE, value: /secrets/database-url }
  - { name: REDIS_URL_FILE, value: /secrets/redis-url }
  - { name: INTERNAL_SECRET_FILE, value: /secrets/internal-secret }
  - { name: S3_ACCESS_KEY_FILE, value: /secrets/s3-access-key }
  - { name: S3_SECRET_KEY_FILE, value: /secrets/s3-secret-key }
{{- end }}

{{- /* The files of k8s/components/antivirus. */}}
{{- define "floe.clamav" -}}
clamd.conf: |
  # Of the container in Compose and Kubernetes: docs/administer/antivirus.md.
  LocalSocket /tmp/clamd.sock
  TCPSocket 3310
  DatabaseDirectory /var/lib/clamav
  # What is scanned is written here first: not into memory, where /tmp may be.
  TemporaryDirectory /var/lib/clamav
  # Otherwise what is beyond the limits would be called clean.
  AlertExceedsMax yes
  StreamMaxLength 100M
  MaxFileSize 100M
  MaxScanSize 400M
  # Two sets of signatures at a time would take twice the memory; scans wait meanwhile.
  ConcurrentDatabaseReload no
freshclam.conf: |
  DatabaseDirectory /var/lib/clamav
  DatabaseMirror database.clamav.net
  NotifyClamd /etc/clamav/clamd.conf
  # A test loads the signatures a second time, which takes as much memory as clamd.
  TestDatabases no
{{- end }}
