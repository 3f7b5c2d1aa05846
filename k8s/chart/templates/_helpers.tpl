{{/* Labels of every object. One installation serves a cluster, so names are fixed: the controller and the API know them. */}}
{{- define "pillion.labels" -}}
app.kubernetes.io/name: pillion
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* Labels of the controller's pods. */}}
{{- define "pillion.selector" -}}
app.kubernetes.io/name: pillion
app.kubernetes.io/component: controller
{{- end }}

{{/* The settings file: what the values say, overlaid by .Values.settings. */}}
{{- define "pillion.settings" -}}
{{- $settings := dict "injection" (dict "launch-priority" .Values.launchPriority "readiness-gate" .Values.readinessGate) -}}
{{- if .Values.externalCerts -}}
{{- $_ := set $settings "certs" (dict "external" true) -}}
{{- end -}}
{{- mustMergeOverwrite $settings (deepCopy .Values.settings) | toYaml -}}
{{- end }}

{{/* The ports, which the settings may change. */}}
{{- define "pillion.webhookPort" -}}
{{- dig "admission" "port" 9876 .Values.settings -}}
{{- end }}
{{- define "pillion.managementPort" -}}
{{- dig "metrics" "port" 8080 .Values.settings -}}
{{- end }}

{{/* One webhook: (dict "root" $ "name" ... "path" ...). Rules and selectors follow. */}}
{{- define "pillion.webhook" -}}
- name: {{ .name }}
  clientConfig:
    service:
      namespace: {{ .root.Release.Namespace }}
      name: pillion-webhook-service
      path: {{ .path }}
  failurePolicy: {{ .root.Values.webhooks.failurePolicy }}
  sideEffects: None
  timeoutSeconds: {{ .root.Values.webhooks.timeoutSeconds }}
  admissionReviewVersions: [v1, v1beta1]
{{- end }}

{{/* Which requests concern sets. */}}
{{- define "pillion.setRules" -}}
rules:
  - apiGroups: [apps.kruise.io]
    apiVersions: [v1alpha1, v1beta1]
    resources: [sidecarsets]
    operations: [CREATE, UPDATE]
{{- end }}
