package dev.pillion.admission;

import dev.pillion.inject.InjectOptions;
import dev.pillion.validate.ValidateOptions;

/**
 * Choices of the webhooks.
 *
 * @param namespace the own namespace
 */
public record WebhookOptions(String namespace, InjectOptions inject, ValidateOptions validate) {
}
