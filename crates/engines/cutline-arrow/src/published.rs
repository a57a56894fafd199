//! What are the columns of the published table made of, and which types have they?

use std::sync::Arc;

use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, StringArray, StringViewArray, UInt32Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::take::take;
use cutline_engine::{Format, OutputColumn, RewritePlan, Treatment};
use cutline_model::recoding::Label;
use cutline_table::{AttributeId, Mask};

use crate::embedded::Embedded;
use crate::notes;
use crate::remembered::RememberedColumn;
use crate::shift;
use crate::sink::{TEXT_KEY, TEXT_PLAIN, are_few, are_raw};
use crate::source::TextStyle;

/// What a column of labels is made of.
pub(crate) enum LabelTexts {
    /// Each record gets a view of its label.
    Views(StringViewArray),
    /// Each record gets the number of its label, and the column a dictionary of all.
    Words(ArrayRef),
}

impl LabelTexts {
    /// Parquet stores numbers where there are few labels, so that these need not be made texts first.
    pub(crate) fn new(mask: &Mask, attribute: AttributeId, marker: Option<&String>, format: Format) -> Self {
        let labels = labels(mask, attribute, marker);
        match format == Format::Parquet && are_few(&labels) {
            true => LabelTexts::Words(Arc::new(labels.iter().collect::<StringArray>())),
            false => LabelTexts::Views(labels),
        }
    }

    /// Are these raw fields of a text file as they are?
    pub(crate) fn are_raw(&self, text: TextStyle) -> bool {
        match self {
            LabelTexts::Views(labels) => are_raw(labels, text),
            LabelTexts::Words(_) => false,
        }
    }

    /// The type of the column.
    pub(crate) fn kind(&self) -> DataType {
        match self {
            LabelTexts::Views(_) => DataType::Utf8View,
            LabelTexts::Words(words) => {
                DataType::Dictionary(Box::new(DataType::UInt32), Box::new(words.data_type().clone()))
            }
        }
    }

    /// The column, from the number of each record's label.
    pub(crate) fn column(&self, numbers: UInt32Array) -> Result<ArrayRef, ArrowError> {
        match self {
            LabelTexts::Views(labels) => take(labels, &numbers, None),
            LabelTexts::Words(words) => Ok(Arc::new(DictionaryArray::<UInt32Type>::try_new(numbers, words.clone())?)),
        }
    }
}

/// The labels as an array to take from. Missing values are null; in CSV they get the user's own marker, if there is one.
fn labels(mask: &Mask, attribute: AttributeId, marker: Option<&String>) -> StringViewArray {
    let text = |label: Label| match label {
        Label::Text(text) => Some(text),
        Label::Missing => marker.cloned(),
    };
    mask.labels(attribute).map(text).collect()
}

/// A column whose codes are known, and the cell of each as it is stored.
#[derive(Clone, Copy)]
pub(crate) struct AsStored<'a> {
    pub(crate) column: &'a RememberedColumn,
    pub(crate) cells: &'a StringViewArray,
}

impl<'a> AsStored<'a> {
    /// What is known of a column of texts that is published as it is. Where types are found out, its cells are looked at.
    pub(crate) fn new(engine: &'a Embedded, plan: &RewritePlan, format: Format, column: &OutputColumn) -> Option<Self> {
        let has_types = format != Format::Csv && engine.source.text() != TextStyle::Plain;
        let is_text = *engine.source.schema().field(column.source).data_type() == DataType::Utf8View;
        let known = engine.remembered.get()?.column(column.source, &plan.nulls)?;
        let kept = matches!(column.how, Treatment::Keep) && is_text && !has_types;
        known.stored.as_ref().filter(|_| kept).map(|cells| AsStored { column: known, cells })
    }
}

/// The columns of the published table. `labels` says whether those of an attribute are raw text already, and the type of their column.
pub(crate) fn schema(
    source: &Schema,
    plan: &RewritePlan,
    types: &[Option<DataType>],
    labels: impl Fn(usize) -> (bool, DataType),
) -> SchemaRef {
    let field = |(column, kind): (&OutputColumn, &Option<DataType>)| {
        let mut field = field(source.field(column.source), &column.how, kind);
        if let Treatment::Mask(attribute) = column.how {
            let (are_raw, kind) = labels(attribute);
            field.set_data_type(kind);
            if are_raw {
                field.metadata_mut().remove(TEXT_KEY);
            }
        }
        field
    };
    let fields = plan.columns.iter().zip(types).map(field);
    let cluster = plan.cluster.iter().map(|(name, _)| Field::new(name, DataType::UInt32, false));
    let fields = fields.chain(cluster).collect::<Vec<_>>();
    Arc::new(Schema::new(fields).with_metadata(notes::published(source, plan)))
}

/// Masked columns hold plain text, even where the source's text is raw CSV.
fn field(source: &Field, how: &Treatment, kind: &Option<DataType>) -> Field {
    match (how, kind) {
        (Treatment::Keep, None) => source.clone(),
        (Treatment::Keep, Some(kind)) => source.clone().with_data_type(kind.clone()),
        (Treatment::Shift(_), _) if shift::has_days(source.data_type()) => {
            Field::new(source.name(), source.data_type().clone(), true).with_metadata(notes::describing(source))
        }
        (Treatment::Mask(_) | Treatment::Tokenize(_) | Treatment::Shift(_), _) => {
            let mut notes = notes::describing(source);
            notes.insert(TEXT_KEY, TEXT_PLAIN);
            Field::new(source.name(), DataType::Utf8View, true).with_metadata(notes)
        }
    }
}
