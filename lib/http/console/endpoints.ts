import type { KeyListJson } from '../../contract/keys';
import type { SignedUpJson } from '../../contract/sign-in';
import type { ConsoleDeliveryListJson } from '../../contract/webhooks';
import { isGatewayError } from '../../domain/errors';
import { jsonResponse } from '../handler';
import { wholeNumberParam } from '../query';
import type { ConsoleEndpoint } from './console-route';
import { accountOf, param, readJson, readOptionalJson } from './request-parts';

// All management endpoints, for the console and for scripts. They contain no rules: each reads the context, calls a use
// case and returns a response.

function list<Item>(data: readonly Item[]) {
  return { object: 'list' as const, data };
}

export const keysEndpoint: ConsoleEndpoint = {
  GET: {
    who: 'member',
    answer: async ({ gateway, actor }) =>
      jsonResponse(200, list(await gateway.accounts.listKeys(actor)) satisfies KeyListJson),
  },
  POST: {
    who: 'editor',
    fresh: true,
    audit: 'key.created',
    answer: async ({ gateway, actor, request }) =>
      jsonResponse(201, await gateway.accounts.createKey(actor, await readJson(request))),
  },
};

export const keyEndpoint: ConsoleEndpoint = {
  PATCH: {
    who: 'editor',
    audit: 'key.changed',
    answer: async (context) =>
      jsonResponse(
        200,
        await context.gateway.accounts.updateKey(
          context.actor,
          param(context, 'id'),
          await readJson(context.request),
          context.checkFresh,
        ),
      ),
  },
  DELETE: {
    who: 'editor',
    audit: 'key.revoked',
    answer: async (context) =>
      jsonResponse(200, await context.gateway.accounts.revokeKey(context.actor, param(context, 'id'))),
  },
};

export const keyRotationEndpoint: ConsoleEndpoint = {
  POST: {
    who: 'editor',
    fresh: true,
    audit: 'key.rotated',
    answer: async (context) =>
      jsonResponse(
        201,
        await context.gateway.accounts.rotateKey(
          context.actor,
          param(context, 'id'),
          await readOptionalJson(context.request),
        ),
      ),
  },
};

export const webhookSecretEndpoint: ConsoleEndpoint = {
  GET: {
    who: 'editor',
    fresh: true,
    audit: 'webhook_secret.revealed',
    answer: async ({ gateway, actor }) => jsonResponse(200, await gateway.webhooks.secret(actor.orgId)),
  },
};

export const webhookSecretRotationEndpoint: ConsoleEndpoint = {
  POST: {
    who: 'editor',
    fresh: true,
    audit: 'webhook_secret.rotated',
    answer: async ({ gateway, actor }) => jsonResponse(201, await gateway.webhooks.rotateSecret(actor.orgId)),
  },
};

export const webhookDeliveriesEndpoint: ConsoleEndpoint = {
  GET: {
    who: 'member',
    answer: async (context) => {
      const videoId = context.request.query.get('video_id') ?? undefined;
      const deliveries = await context.gateway.webhooks.list(accountOf(context), videoId);
      return jsonResponse(200, list(deliveries) satisfies ConsoleDeliveryListJson);
    },
  },
};

export const webhookResendEndpoint: ConsoleEndpoint = {
  POST: {
    who: 'editor',
    // An id does not contain the mode, and a member of the organisation sees both modes.
    answer: async (context) => {
      const { gateway, actor } = context;
      const id = param(context, 'id');
      try {
        return jsonResponse(202, await gateway.webhooks.resend({ orgId: actor.orgId, mode: 'live' }, id));
      } catch (error) {
        if (!isGatewayError(error) || error.code !== 'delivery_not_found') throw error;
        return jsonResponse(202, await gateway.webhooks.resend({ orgId: actor.orgId, mode: 'test' }, id));
      }
    },
  },
};

export const creditsEndpoint: ConsoleEndpoint = {
  GET: {
    who: 'member',
    answer: async (context) => jsonResponse(200, await context.gateway.accounts.credits(accountOf(context))),
  },
};

/** `?mode=&limit=1..100&after=<id>`: the operator's grants, adjustments and refunds, newest first. */
export const creditTransfersEndpoint: ConsoleEndpoint = {
  GET: {
    who: 'member',
    answer: async (context) => {
      const { query } = context.request;
      const page = { limit: wholeNumberParam(query, 'limit', 1, 100, 50), after: query.get('after') || undefined };
      return jsonResponse(200, await context.gateway.creditTransfers.list(accountOf(context), page));
    },
  },
};

export const creditsRefillEndpoint: ConsoleEndpoint = {
  POST: {
    who: 'editor',
    audit: 'test_credits.refilled',
    answer: async ({ gateway, actor }) => jsonResponse(200, await gateway.accounts.refillTestCredits(actor)),
  },
};

export const socketTicketsEndpoint: ConsoleEndpoint = {
  POST: {
    who: 'editor',
    answer: async ({ gateway, actor, request }) =>
      jsonResponse(201, await gateway.tickets.create(actor, await readJson(request))),
  },
};

/** The first user of an empty installation; `role_required` if a user exists. */
export const signUpEndpoint: ConsoleEndpoint = {
  POST: {
    who: 'stranger',
    answer: async ({ gateway, request }) => {
      const { email, name, orgName } = await gateway.accounts.signUpFirst(await readJson(request));
      return jsonResponse(201, {
        email,
        ...(name === undefined ? {} : { name }),
        organization: orgName,
      } satisfies SignedUpJson);
    },
  },
};

export const signOutEverywhereEndpoint: ConsoleEndpoint = {
  POST: {
    who: 'person',
    audit: 'sign_in.ended_everywhere',
    answer: async ({ gateway, person }) => {
      await gateway.accounts.signOutEverywhere(person.userId);
      return { status: 204, headers: {} };
    },
  },
};

/** Sets the password of the signed-in user and ends their other sign-ins. */
export const passwordEndpoint: ConsoleEndpoint = {
  POST: {
    who: 'person',
    fresh: true,
    audit: 'password.changed',
    answer: async ({ gateway, person, request }) => {
      await gateway.accounts.changePassword(person, await readJson(request));
      return { status: 204, headers: {} };
    },
  },
};

/** For every other path below `/console/api`. */
export const noEndpoint: ConsoleEndpoint = {};
