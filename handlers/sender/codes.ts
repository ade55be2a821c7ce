/**
 * What each error code of Slack means for a call. Slack documents the codes for each method; a code means the same
 * wherever it comes from, so they stand here once.
 */
export type Meaning =
  /** Slack may take the same call later, so it is tried again. */
  | 'passes'
  /** Slack never takes this one post, edit or look. Others may pass. */
  | 'post'
  /** The bot may write nothing in this channel. */
  | 'channel'
  /** The bot may do nothing in this workspace until its administrators, or the people who run the bot, act. */
  | 'workspace'
  /** Slack cannot read the call: a bug of the bot. Final for the post, and an error in the log. */
  | 'ours';

/** Slack had trouble of its own in the middle of the call, and may have done it all the same. */
const TROUBLE = words(`
  fatal_error internal_error messaging_processing_failed rate_limited ratelimited request_timeout service_unavailable`);

/** Nothing was done. */
const LATER = words(`
  external_channel_migrating fetch_members_failed file_update_failed list_record_comment_fetch_failed
  message_limit_exceeded team_added_to_org update_failed`);

const POST = words(`
  access_denied already_reacted alt_txt_too_large blocked_file_type cannot_reply_to_message cant_broadcast_message
  cant_delete_message cant_update_message canvas_disabled_file_team canvas_disabled_user_team canvas_globally_disabled
  channel_type_not_supported channels_limit_exceeded draft_already_deleted draft_already_sent draft_has_conflict
  draft_not_found duplicate_external_id duplicate_message_not_found edit_window_closed exchanged_trigger_id
  expired_trigger_id feature_disabled file_comment_not_found file_deleted file_is_deleted file_not_found
  file_share_limit_reached file_type_not_allowed file_upload_size_restricted file_uploads_disabled
  file_uploads_except_images_disabled hash_conflict invalid_trigger_id is_inactive max_file_sharing_exceeded
  message_not_found message_not_in_streaming_state message_not_owned_by_app method_not_supported_for_channel_type
  missing_file_data missing_profile_id no_access no_dual_broadcast_content_update no_reaction no_such_subteam
  not_authorized not_enabled not_found not_implemented not_reactable not_visible plan_upgrade_required
  push_limit_reached restricted_action_thread_locked slack_connect_blocked_file_type
  slack_connect_canvas_sharing_blocked slack_connect_clip_sharing_blocked slack_connect_file_link_sharing_blocked
  slack_connect_file_upload_sharing_blocked slack_connect_lists_sharing_blocked snippet_too_large stopped_by_user
  storage_limit_reached streaming_state_conflict template_not_visible thread_locked thread_not_found too_many_emoji
  too_many_reactions too_many_users unable_to_share_files user_disabled user_not_found user_not_in_channel
  user_not_visible`);

const CHANNEL = words(`
  app_access_restricted channel_is_limited_access channel_not_found duplicate_channel_not_found invalid_channel
  is_archived messages_tab_disabled no_permission not_in_channel posting_to_channel_denied restricted_action
  restricted_action_non_threadable_channel restricted_action_read_only_channel restricted_action_thread_only_channel`);

const WORKSPACE = words(`
  accesslimited account_inactive ekm_access_denied enterprise_is_restricted invalid_auth missing_scope
  not_allowed_token_type not_authed org_login_required team_access_not_granted team_not_found token_expired
  token_revoked two_factor_setup_required`);

const INSTALLING = words(`
  bad_client_secret bad_redirect_uri cannot_install_an_org_installed_app invalid_client_id invalid_code
  invalid_code_verifier invalid_grant_type invalid_refresh_token no_scopes oauth_authorization_url_mismatch
  pkce_not_allowed preview_feature_not_available user_email_unverified`);

const OURS = words(`
  as_user_not_supported attachment_payload_limit_exceeded bad_timestamp block_mismatch deprecated_endpoint
  invalid_arg_name invalid_arguments invalid_array_arg invalid_attachments invalid_blocks invalid_blocks_format
  invalid_charset invalid_chunks invalid_cursor invalid_form_data invalid_limit invalid_metadata_filter_keys
  invalid_metadata_format invalid_metadata_schema invalid_name invalid_post_type invalid_status invalid_thread_ts
  invalid_ts_latest invalid_ts_oldest invalid_user_combination is_bot limit_required markdown_text_conflict
  metadata_must_be_sent_from_app metadata_too_large method_deprecated missing_argument missing_post_type
  missing_recipient_team_id missing_recipient_user_id msg_blocks_too_long msg_blocks_too_many msg_too_long
  no_item_specified no_text not_enough_users not_subscribed_to_message_stream_stopped reserved_username
  send_on_behalf_not_allowed thread_ts_not_allowed thread_ts_required too_many_attachments too_many_contact_cards
  unknown_method unknown_snippet_type unknown_subtype users_list_not_supplied view_too_large`);

const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ...meaning('passes', TROUBLE, LATER),
  ...meaning('post', POST, INSTALLING),
  ...meaning('channel', CHANNEL),
  ...meaning('workspace', WORKSPACE),
  ...meaning('ours', OURS),
]);

/** An unknown code is an answer, not an outage: the same call would get it again. */
export const meaningOf = (code: string): Meaning => MEANINGS.get(code) ?? 'post';

export const mayBeDone = (code: string): boolean => TROUBLE.includes(code);

export const KNOWN_CODES: readonly string[] = [...MEANINGS.keys()];

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

function meaning(what: Meaning, ...codes: readonly (readonly string[])[]): (readonly [string, Meaning])[] {
  return codes.flat().map((code) => [code, what] as const);
}
